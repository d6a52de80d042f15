package dev.arrowdevice.testkit.device;

import dev.arrowdevice.spi.HostMemory;
import java.util.List;

/** Host code in place of a GPU's kernel. */
@FunctionalInterface
public interface Kernel {
    /**
     * Computes. Runs on the queue's thread, in the order of the queue, and must not call any device. If it throws, the
     * queued work has failed.
     *
     * @param memory the bytes of the buffers, in the order in which {@link SimulatedDevice#launch} got them. They can't
     *     be accessed after this method has returned, nor on another thread
     */
    void run(List<HostMemory> memory);
}
