package dev.arrowdevice.internal.streams;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.abi.ShutdownReport;
import dev.arrowdevice.internal.exchange.ArrayExports;
import dev.arrowdevice.internal.exchange.Failures;
import dev.arrowdevice.internal.exchange.SchemaExporter;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.spi.Errno;
import dev.arrowdevice.spi.Verb;
import org.jspecify.annotations.Nullable;

/** An exported stream. The consumer serialises its calls, as the specification requires. */
public final class ExportedStream implements Exported.Stream {
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
    public ExportedStream(DeviceArrayStream stream, boolean deviceArrays) {
        this.stream = stream;
        this.deviceArrays = deviceArrays;
        this.id = OutstandingExports.STREAMS.add(this);
    }

    /** The {@code private_data} of the struct. */
    public long id() {
        return id;
    }

    @Override
    public int getSchema(long schema) {
        clearError();
        try {
            CSchema.setRelease(schema, 0);
            SchemaExporter.export(stream.getField(), schema);
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
                return 0; // Zeroed means released: "the end of the stream has been reached".
            }
            try {
                Verb verb = deviceArrays ? Verb.EXPORT_DEVICE_ARRAY : Verb.EXPORT_ARRAY;
                ArrayExports.move(next, verb, next.getType(), array, deviceArrays, 0, null);
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
            OutstandingExports.STREAMS.remove(id);
        }
    }

    private int fail(Throwable failure) {
        lastError = RawMemory.newCString(Failures.describe(failure).replace('\0', ' '));
        return Errno.of(failure);
    }

    private void clearError() {
        if (lastError != 0) {
            CHeap.free(lastError);
            lastError = 0;
        }
    }
}
