package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.function.Consumer;
import java.util.function.Function;

/** Bytes of any device on the host: in place where the host can read them, else through staging memory. */
final class HostBytes {
    private HostBytes() {}

    /** Reads a buffer whose content is there. The bytes are valid until the function returns. */
    static <R> R read(DeviceBuffer source, Function<? super HostMemory, ? extends R> reader) {
        Device device = source.getDevice();
        if (source.isHostReadable()) {
            return reader.apply(source.memory());
        }
        DeviceRuntime runtime = Devices.runtime(device);
        DeviceBuffer staging = runtime.allocateStaging(source.getByteSize());
        try {
            copy(runtime, source, staging);
            return reader.apply(staging.memory());
        } finally {
            staging.getOwner().release();
        }
    }

    /** Makes a buffer on a device of what the host writes; the caller owns the one reference to its owner. */
    static DeviceBuffer write(Device device, long byteSize, Consumer<? super HostMemory> writer) {
        DeviceRuntime runtime = Devices.runtime(device);
        boolean direct = runtime.allocatesHostReadable();
        DeviceBuffer written = direct ? runtime.allocate(byteSize) : runtime.allocateStaging(byteSize);
        boolean done = false;
        try {
            written.memory().fill(0, byteSize, (byte) 0);
            writer.accept(written.memory());
            DeviceBuffer result = direct ? written : transfer(runtime, written);
            done = direct;
            return result;
        } finally {
            if (!done) {
                written.getOwner().release();
            }
        }
    }

    private static DeviceBuffer transfer(DeviceRuntime runtime, DeviceBuffer staging) {
        DeviceBuffer target = runtime.allocate(staging.getByteSize());
        try {
            copy(runtime, staging, target);
            return target;
        } catch (Throwable e) {
            target.getOwner().release();
            throw e;
        }
    }

    /** Copies and waits. A copy that failed may be queued all the same: both ends then stay until the queue is done. */
    private static void copy(DeviceRuntime runtime, DeviceBuffer source, DeviceBuffer target) {
        try {
            runtime.copy(source, 0, target, 0, source.getByteSize());
        } catch (Throwable e) {
            source.getOwner().retain();
            target.getOwner().retain();
            DeferredRelease.after(
                    runtime, runtime.getDefaultQueue(), ReferenceCounted.all(source.getOwner(), target.getOwner()));
            throw e;
        }
    }
}
