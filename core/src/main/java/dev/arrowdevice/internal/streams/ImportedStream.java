package dev.arrowdevice.internal.streams;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.Imports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.exchange.ImportedArray;
import dev.arrowdevice.internal.exchange.ImportedArrays;
import dev.arrowdevice.internal.exchange.SchemaImporter;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.internal.memory.Lost;
import dev.arrowdevice.spi.StreamErrors;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An imported foreign stream, plain or device. */
public final class ImportedStream extends DeviceArrayStream {
    public static final int MAX_ERROR_TEXT = 1 << 16;

    private final Source source;
    private final LeakWatch watch;
    private final Validation validation;
    private final Field field;
    private final int deviceType;

    private ImportedStream(Source source, Validation validation, Field field) {
        this.source = source;
        this.validation = validation;
        this.field = field;
        this.deviceType = source.deviceStream ? CDeviceArrayStream.deviceType(source.struct) : DeviceType.CPU;
        this.watch = new LeakWatch(this, source);
    }

    /**
     * Moves a live stream out of a caller's struct, and calls its {@code get_schema}. On failure the stream is
     * released.
     */
    public static ImportedStream move(long address, boolean deviceStream, Validation validation) {
        return move(address, deviceStream, validation, (struct, failure) -> failure);
    }

    /** Moves a live stream whose errors say more than the interface. */
    public static ImportedStream move(long address, boolean deviceStream, Validation validation, StreamErrors errors) {
        Source source = new Source(address, deviceStream, errors);
        try {
            return new ImportedStream(source, validation, source.getField());
        } catch (Throwable e) {
            source.release();
            throw e;
        }
    }

    @Override
    public int getDeviceType() {
        return deviceType;
    }

    @Override
    public Field getField() {
        return field;
    }

    @Override
    protected @Nullable DeviceArray pull() {
        ImportedArray array = source.next();
        if (array == null) {
            return null;
        }
        try {
            if (!source.deviceStream) {
                return ImportedArrays.wrap(array, field.type(), Device.CPU, 0, validation);
            }
            long struct = array.struct();
            if (CDeviceArray.deviceType(struct) != deviceType) {
                throw new InvalidArrayException("an array on "
                        + DeviceType.name(CDeviceArray.deviceType(struct)) + " in a stream on "
                        + DeviceType.name(deviceType));
            }
            return ImportedArrays.wrapDeviceArray(array, field.type(), validation);
        } catch (Throwable e) {
            array.release();
            throw e;
        }
    }

    @Override
    protected void closeSource() {
        watch.release();
    }

    /** Releases the source once, when the stream is closed or lost. */
    private static final class LeakWatch extends Leaks.Watch {
        private final Source source;

        LeakWatch(ImportedStream stream, Source source) {
            super(stream);
            this.source = source;
        }

        boolean release() {
            boolean first = source.release();
            if (first) {
                end();
            }
            return first;
        }

        @Override
        protected Lost lost() {
            return new Lost("an imported stream that was never closed");
        }

        @Override
        protected boolean releaseLeaked() {
            return release();
        }
    }

    /** The struct in our memory. */
    private static final class Source {
        private final long struct;
        /** The struct that the producer fills with the next array. */
        private final long out;

        private final boolean deviceStream;
        private final AtomicBoolean released = new AtomicBoolean();
        private boolean failed;
        /** Whether get_next is running; it may be Java code that closes this very stream. */
        private boolean calling;

        private final StreamErrors errors;

        Source(long address, boolean deviceStream, StreamErrors errors) {
            this.errors = errors;
            long size = deviceStream ? CDeviceArrayStream.SIZE : CArrayStream.SIZE;
            this.deviceStream = deviceStream;
            try {
                this.struct = CHeap.allocate(size + CDeviceArray.SIZE);
            } catch (Throwable e) {
                ForeignCallbacks.release(release(address), address);
                throw e;
            }
            this.out = struct + size;
            RawMemory.copy(address, struct, size);
            if (deviceStream) {
                CDeviceArrayStream.setRelease(address, 0);
            } else {
                CArrayStream.setRelease(address, 0);
            }
            Imports.STREAMS.increment();
        }

        private long release(long address) {
            return deviceStream ? CDeviceArrayStream.release(address) : CArrayStream.release(address);
        }

        Field getField() {
            long schema = CHeap.allocate(CSchema.SIZE);
            try {
                RawMemory.zero(schema, CSchema.SIZE);
                long callback = deviceStream ? CDeviceArrayStream.getSchema(struct) : CArrayStream.getSchema(struct);
                requireCallback("get_schema", callback);
                check("get_schema", ForeignCallbacks.getInto(callback, struct, schema));
                return SchemaImporter.importField(schema);
            } finally {
                CHeap.free(schema, CSchema.SIZE);
            }
        }

        /** The next array, or null at the end. */
        @Nullable
        ImportedArray next() {
            if (failed) {
                throw new IllegalStateException("nextArray: the stream has failed before");
            }
            long callback = deviceStream ? CDeviceArrayStream.getNext(struct) : CArrayStream.getNext(struct);
            requireCallback("get_next", callback);
            RawMemory.zeroLongs(out, CDeviceArray.SIZE);
            calling = true;
            try {
                int code = ForeignCallbacks.getInto(callback, struct, out);
                failed = code != 0;
                check("get_next", code);
                return CArray.release(out) == 0 ? null : ImportedArray.move(out, deviceStream);
            } finally {
                calling = false;
                if (released.get()) {
                    free();
                }
            }
        }

        private static void requireCallback(String name, long callback) {
            if (callback == 0) {
                throw new IllegalArgumentException(name + " of the stream is NULL, a mandatory callback");
            }
        }

        /** "This callback must ONLY be called if the last operation on the stream returned an error." */
        private void check(String operation, int code) {
            if (code == 0) {
                return;
            }
            long callback = deviceStream ? CDeviceArrayStream.getLastError(struct) : CArrayStream.getLastError(struct);
            long text = callback == 0 || released.get() ? 0 : ForeignCallbacks.getLastError(callback, struct);
            ForeignException failure = new ForeignException(
                    operation,
                    code,
                    text == 0
                            ? "the producer returned no description"
                            : new String(RawMemory.getCString(text, MAX_ERROR_TEXT), StandardCharsets.UTF_8));
            throw released.get() ? failure : errors.exceptionOf(struct, failure);
        }

        boolean release() {
            if (!released.compareAndSet(false, true)) {
                return false;
            }
            ForeignCallbacks.release(release(struct), struct);
            if (!calling) {
                free();
            }
            Imports.RELEASED_STREAMS.increment();
            return true;
        }

        private void free() {
            CHeap.free(struct, out - struct + CDeviceArray.SIZE);
        }
    }
}
