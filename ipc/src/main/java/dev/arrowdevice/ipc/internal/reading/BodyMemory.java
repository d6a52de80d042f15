package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;

/** Memory for bodies: that of the device which the options name, or the host memory that it copies from fastest. */
final class BodyMemory {
    private final DeviceRuntime runtime;
    private final boolean staged;

    BodyMemory(IpcReadOptions options) {
        this.runtime = Devices.runtime(options.getDevice());
        this.staged = !runtime.getDevice().isCpu();
    }

    DeviceRuntime runtime() {
        return runtime;
    }

    /** Whether the memory is not the device's own, so that the batch is yet to be copied there. */
    boolean isStaged() {
        return staged;
    }

    /** Allocates memory that the host can write; the caller has one reference to its owner. */
    DeviceBuffer allocate(long byteSize) {
        if (!staged) {
            return runtime.allocate(byteSize);
        }
        // A schema has an empty body, for which a driver need not be asked.
        return byteSize == 0 ? CpuRuntime.INSTANCE.allocate(0) : runtime.allocateStaging(byteSize);
    }
}
