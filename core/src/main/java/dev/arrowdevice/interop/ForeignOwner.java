package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.function.Supplier;

/** The rule of all imports: what was handed over is released once, whatever happens. */
final class ForeignOwner {
    private ForeignOwner() {}

    /**
     * Hands an owner over to an import.
     *
     * @param kept the reference is handed over, and released on failure
     * @param operation what the user called, for the message on a Java that can't
     * @param read reads what the interface says
     */
    static DeviceArray take(
            ReferenceCounted kept, String operation, ImportOptions options, Supplier<StridedImport.Source> read) {
        StridedImport.Source source;
        try {
            if (!Platform.HAS_FOREIGN_MEMORY) {
                throw Platform.needsForeignMemory(operation);
            }
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
