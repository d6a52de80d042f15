package dev.arrowdevice.internal.copying;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.DeferredRelease;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes bytes of any device accessible to the host: in place if the host can read them, otherwise through staging
 * memory.
 */
public final class HostBytes {
    private HostBytes() {}

    /** Reads a buffer whose content is there. The bytes are valid until the function returns. */
    public static <R> R read(DeviceBuffer source, Function<? super HostMemory, ? extends R> reader) {
        Device device = source.getDevice();
        if (source.isHostReadable()) {
            return reader.apply(source.memory());
        }
        DeviceRuntime runtime = Devices.runtime(device);
        DeviceBuffer staging = runtime.allocateForCopy(source.getByteSize());
        try {
            copy(runtime, source, staging);
            return reader.apply(staging.memory());
        } finally {
            staging.getOwner().release();
        }
    }

    /** Makes a buffer on a device from bytes that the host writes. The caller has the one reference to its owner. */
    public static DeviceBuffer write(Device device, long byteSize, Consumer<? super HostMemory> writer) {
        DeviceRuntime runtime = Devices.runtime(device);
        boolean direct = runtime.allocatesHostReadable();
        DeviceBuffer written = direct ? runtime.allocate(byteSize) : runtime.allocateForCopy(byteSize);
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

    /**
     * Copies and waits. If this fails, the copy may still be queued, so both buffers are kept until the queue is done.
     */
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
