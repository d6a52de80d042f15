package dev.arrowdevice.internal.memory;

import dev.arrowdevice.Device;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** The end of what foreign code does with memory of ours. */
public final class ForeignUse {
    private ForeignUse() {}

    /**
     * The runtime that ends the use of memory. Found when the use begins, because a runtime may be closed meanwhile.
     *
     * @return the CPU's, or null for a device without a runtime
     */
    public static @Nullable DeviceRuntime of(Device device) {
        return device.isCpu() ? CpuRuntime.INSTANCE : Devices.find(device);
    }

    /** Releases a reference: of the CPU at once, of a device when nothing uses the memory any more. */
    public static void end(@Nullable DeviceRuntime runtime, ReferenceCounted owner) {
        if (runtime == CpuRuntime.INSTANCE) {
            owner.release();
        } else if (runtime == null) {
            DeferredRelease.execute(owner::release);
        } else {
            runtime.releaseAfterForeignUse(owner);
        }
    }

    /**
     * The reference to memory that foreign code uses, for its next owner.
     *
     * @param runtime ends the use when the last reference is released
     * @param owner the reference moves to the result, once that is released
     */
    public static ReferenceCounted lent(DeviceRuntime runtime, ReferenceCounted owner) {
        return new ReferenceCounted() {
            @Override
            protected void free() {
                end(runtime, owner);
            }

            @Override
            public String toString() {
                return owner.toString();
            }
        };
    }
}
