package dev.arrowdevice.testkit.device;

import dev.arrowdevice.spi.HostMemory;
import java.util.List;

/** Host code that stands for what a GPU would compute. */
@FunctionalInterface
public interface Kernel {
    /**
     * Computes. Runs on the queue's worker, in the order of the queue, and must not call any device. What it throws is the
     * failure of the queued work.
     *
     * @param memory the bytes of the buffers, in the order in which they were given to {@link SimulatedDevice#launch}; they
     *     can't be touched after this returns, nor on another thread
     */
    void run(List<HostMemory> memory);
}
