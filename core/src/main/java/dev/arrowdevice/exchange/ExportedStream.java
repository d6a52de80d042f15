package dev.arrowdevice.exchange;

import dev.arrowdevice.abi.CArray;
import dev.arrowdevice.abi.CDeviceArray;
import dev.arrowdevice.abi.CHeap;
import dev.arrowdevice.abi.CSchema;
import dev.arrowdevice.abi.Exported;
import dev.arrowdevice.abi.Exports;
import dev.arrowdevice.abi.RawMemory;
import dev.arrowdevice.abi.ShutdownReport;
import dev.arrowdevice.array.DeviceArray;
import dev.arrowdevice.array.DeviceArrayStream;
import dev.arrowdevice.memory.Leaks;
import org.jspecify.annotations.Nullable;

/** A stream in foreign hands. The consumer serialises its calls, as the specification asks. */
final class ExportedStream implements Exported.Stream {
    static {
        ShutdownReport.install();
    }

    private final DeviceArrayStream stream;
    private final boolean deviceArrays;
    private final long id;
    private final @Nullable Throwable allocation = Leaks.allocationStack();
    private long lastError;

    /**
     * Registers the stream.
     *
     * @param deviceArrays whether {@code get_next} fills a device array or an array
     */
    ExportedStream(DeviceArrayStream stream, boolean deviceArrays) {
        this.stream = stream;
        this.deviceArrays = deviceArrays;
        this.id = Exports.STREAMS.add(this);
    }

    /** The {@code private_data} of the struct. */
    long id() {
        return id;
    }

    @Override
    public int getSchema(long schema) {
        clearError();
        try {
            CSchema.setRelease(schema, 0);
            SchemaExporter.export(stream.field(), schema);
            return 0;
        } catch (Throwable e) {
            return fail(e);
        }
    }

    @Override
    public int getNext(long array) {
        clearError();
        try {
            RawMemory.zero(array, deviceArrays ? CDeviceArray.SIZE : CArray.SIZE);
            DeviceArray next = stream.nextArray();
            if (next == null) {
                return 0; // Zeroed is marked released: "the end of the stream has been reached".
            }
            try {
                if (deviceArrays) {
                    ArrowExport.exportDeviceArray(next, array);
                } else {
                    ArrowExport.exportArray(next, array);
                }
            } finally {
                next.close();
            }
            return 0;
        } catch (Throwable e) {
            return fail(e);
        }
    }

    @Override
    public long getLastError() {
        return lastError;
    }

    @Override
    public @Nullable Throwable allocation() {
        return allocation;
    }

    @Override
    public void release() {
        clearError();
        try {
            stream.close();
        } finally {
            Exports.STREAMS.remove(id);
        }
    }

    private int fail(Throwable failure) {
        lastError = RawMemory.newCString(Errno.describe(failure).replace('\0', ' '));
        return Errno.of(failure);
    }

    private void clearError() {
        if (lastError != 0) {
            CHeap.free(lastError);
            lastError = 0;
        }
    }
}
