package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CAsyncTask;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.ForeignAsyncCallbacks;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.exchange.ImportedArray;
import dev.arrowdevice.internal.exchange.ImportedArrays;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.internal.memory.Lost;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An array that a foreign producer has ready. Getting it may cost work, which the thread that extracts it does:
 * "separate the 'decoding' logic from the I/O". A task must be extracted or discarded, once. It outlives its stream.
 * May be used from any thread.
 */
public final class AsyncTask {
    private final Copy copy;
    private final Field field;
    private final int deviceType;
    private final Metadata metadata;
    private final Validation validation;

    AsyncTask(long task, Field field, int deviceType, Metadata metadata, Validation validation, AsyncDiscard discard) {
        this.copy = new Copy(this, task, discard);
        this.field = field;
        this.deviceType = deviceType;
        this.metadata = metadata;
        this.validation = validation;
    }

    /** The producer's metadata of the array. */
    public Metadata getMetadata() {
        return metadata;
    }

    /**
     * Extracts the array, which the caller closes.
     *
     * @throws ForeignException if the producer fails. It should report the failure to the listener too. The code 0
     *     means that the producer returned 0 and no array, which breaks its contract
     * @throws InvalidArrayException if the array breaks the specification; the array has been released
     * @throws IllegalStateException if the task was extracted or discarded before
     */
    public DeviceArray extract() {
        ImportedArray array;
        long out = Copy.newStruct();
        try {
            if (!copy.take()) {
                throw new IllegalStateException("extract: the task has already been extracted or discarded");
            }
            int code = copy.run(out);
            if (code != 0 || CArray.release(out) == 0) {
                // If it failed, Arrow C++ returns 0 all the same, and leaves the struct untouched.
                throw new ForeignException(
                        "extract_data",
                        code,
                        code == 0 ? "the producer returned no array, and no error code" : "the task failed");
            }
            array = ImportedArray.move(out, true);
        } finally {
            CHeap.free(out, CDeviceArray.SIZE);
        }
        try {
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

    /**
     * Discards the task, which lets the producer clean up. By default the array is extracted and released at once; see
     * {@link AsyncDiscard}. A failure of the producer is not reported. Does nothing after the first use.
     */
    public void discard() {
        if (copy.take()) {
            copy.discard();
        }
    }

    /** Forgets the task without a call to the producer, which remains its owner. False if the task was used before. */
    boolean forget() {
        if (!copy.take()) {
            return false;
        }
        copy.free();
        return true;
    }

    /** "If the consumer wants to use the task beyond the scope of this method, it must copy or move its contents". */
    private static final class Copy extends Leaks.Watch {
        private final long struct;
        private final AsyncDiscard discard;
        private final AtomicBoolean taken = new AtomicBoolean();

        Copy(AsyncTask owner, long task, AsyncDiscard discard) {
            super(owner);
            this.discard = discard;
            try {
                if (CAsyncTask.extractData(task) == 0) {
                    throw new IllegalArgumentException("on_next_task: the task's extract_data is NULL");
                }
                struct = CHeap.allocate(CAsyncTask.SIZE);
            } catch (Throwable e) {
                end();
                throw e;
            }
            RawMemory.copyLongs(task, struct, CAsyncTask.SIZE);
        }

        /** Memory for a device array, marked released. */
        static long newStruct() {
            long struct = CHeap.allocate(CDeviceArray.SIZE);
            RawMemory.zeroLongs(struct, CDeviceArray.SIZE);
            return struct;
        }

        /** "It is only valid to call this method exactly once." */
        boolean take() {
            if (!taken.compareAndSet(false, true)) {
                return false;
            }
            end();
            return true;
        }

        int run(long out) {
            try {
                return ForeignAsyncCallbacks.extractData(struct, out);
            } finally {
                free();
            }
        }

        void discard() {
            if (discard == AsyncDiscard.WITHOUT_ARRAY) {
                run(0);
                return;
            }
            long out = newStruct();
            if (run(out) == 0) {
                ForeignCallbacks.releaseArray(out);
            }
            CHeap.free(out, CDeviceArray.SIZE);
        }

        void free() {
            CHeap.free(struct, CAsyncTask.SIZE);
        }

        @Override
        protected Lost lost() {
            return new Lost("an async task that was neither extracted nor discarded");
        }

        @Override
        protected boolean releaseLeaked() {
            boolean lost = take();
            if (lost) {
                discard();
            }
            return lost;
        }
    }
}
