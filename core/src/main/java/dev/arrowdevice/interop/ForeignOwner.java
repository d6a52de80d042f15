package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.function.Supplier;

/** Imports that own their source: it is released once, on success and on failure. */
final class ForeignOwner {
    private ForeignOwner() {}

    /**
     * Imports an array, and moves the reference to its memory into it.
     *
     * @param kept the reference to move; released on failure
     * @param operation the name of the call, for the message on Java before 22
     * @param read reads the interface
     */
    static DeviceArray take(
            ReferenceCounted kept, String operation, ImportOptions options, Supplier<StridedImport.Source> read) {
        StridedImport.Source source;
        try {
            Platform.requireNativeAccess(operation);
            source = read.get();
        } catch (Throwable e) {
            kept.release();
            throw e;
        }
        return StridedImport.take(source, options, kept);
    }

    static Device requireDevice(ImportOptions options) {
        Device device = options.device;
        if (device == null) {
            throw new IllegalArgumentException(
                    "the interface does not name the device of its pointer: ImportOptions.on(device)");
        }
        return device;
    }
}
