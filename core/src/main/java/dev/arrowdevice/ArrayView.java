package dev.arrowdevice;

import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.internal.owners.Handle;
import dev.arrowdevice.internal.printing.TextFormat;
import dev.arrowdevice.internal.reading.Readers;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.spi.ArrayData;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A face of an array for reading. It owns nothing and lives as long as the {@link DeviceArray} or {@link RecordBatch}
 * that it came from; {@link #share()} makes an owner of it.
 *
 * <p>Each getter holds the memory while it runs: used while another thread closes the owner it gives data or an
 * {@link IllegalStateException}, never freed memory. That costs some nanoseconds a call; loops use {@link #borrow},
 * which holds once, or the bulk getters. Indexes and counts are in elements. All methods may be called from any thread.
 *
 * <p>What every getter throws: {@link IllegalStateException} after the owner was closed or moved and for a null value,
 * {@link IndexOutOfBoundsException}, {@link UnsupportedOperationException} where the type has no such value,
 * {@link dev.arrowdevice.UnreadableDeviceException} where the host can't read the device.
 */
public abstract class ArrayView extends ArrayFace {
    private @Nullable ArrayReader reader;

    ArrayView(Handle handle, ArrayData data) {
        super(handle, data);
    }

    /**
     * The number of elements that the validity bitmap marks null: all for the null type, 0 for unions and run-end
     * encoded arrays, which have none. Computed at the first call if the producer did not say.
     */
    public final long getNullCount() {
        ArrayData data = getData();
        long known = data.getKnownNullCount();
        if (known != ArrayData.UNKNOWN_NULL_COUNT) {
            return known;
        }
        handle.state.hold("nullCount");
        try {
            awaitReady();
            return data.getNullCount();
        } catch (UnreadableDeviceException e) {
            throw new UnreadableDeviceException("nullCount", e);
        } finally {
            handle.state.drop();
        }
    }

    /** Whether a value is null; see {@link ArrayReader#isNull}. */
    public final boolean isNull(long index) {
        ArrayReader held = hold("isNull");
        try {
            return held.isNull(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getBoolean}. */
    public final boolean getBoolean(long index) {
        ArrayReader held = hold("getBoolean");
        try {
            return held.getBoolean(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getByte}. */
    public final byte getByte(long index) {
        ArrayReader held = hold("getByte");
        try {
            return held.getByte(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getShort}. */
    public final short getShort(long index) {
        ArrayReader held = hold("getShort");
        try {
            return held.getShort(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getInt}. */
    public final int getInt(long index) {
        ArrayReader held = hold("getInt");
        try {
            return held.getInt(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getLong}. */
    public final long getLong(long index) {
        ArrayReader held = hold("getLong");
        try {
            return held.getLong(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getFloat}. */
    public final float getFloat(long index) {
        ArrayReader held = hold("getFloat");
        try {
            return held.getFloat(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getDouble}. */
    public final double getDouble(long index) {
        ArrayReader held = hold("getDouble");
        try {
            return held.getDouble(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getDecimal}. */
    public final BigDecimal getDecimal(long index) {
        ArrayReader held = hold("getDecimal");
        try {
            return held.getDecimal(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getString}. */
    public final String getString(long index) {
        ArrayReader held = hold("getString");
        try {
            return held.getString(index);
        } finally {
            handle.state.drop();
        }
    }

    /** See {@link ArrayReader#getBytes}. */
    public final byte[] getBytes(long index) {
        ArrayReader held = hold("getBytes");
        try {
            return held.getBytes(index);
        } finally {
            handle.state.drop();
        }
    }

    /** The value as an object, null if it is null; see {@link ArrayReader#getObject} for the classes. */
    public final @Nullable Object getObject(long index) {
        ArrayReader held = hold("getObject");
        try {
            return held.getObject(index);
        } finally {
            handle.state.drop();
        }
    }

    /**
     * Reads many values: the reader is valid until the function returns, on the calling thread. Meanwhile the memory
     * can't be freed; the owner can be closed (which takes effect at the end) but not moved.
     */
    public final <R> R borrow(Function<? super ArrayReader, ? extends R> read) {
        handle.state.hold("borrow");
        try {
            awaitReady();
            try (BorrowScope scope = BorrowScope.open()) {
                return read.apply(reader("borrow", scope));
            }
        } finally {
            handle.state.drop();
        }
    }

    /** Reads ranges and whole arrays of primitive values at once. */
    public final BulkReader bulk() {
        return new BulkReader(this);
    }

    /**
     * A child array: a field of a struct (from this array's offset on), the elements of all lists, the entries of all
     * maps, a child of a union, the run ends (0) or values (1) of a run-end encoded array.
     *
     * @throws IndexOutOfBoundsException if there is no such child
     */
    public final ArrayView child(int index) {
        if (index < 0 || index >= getData().getChildCount()) {
            throw new IndexOutOfBoundsException("child " + index + " of " + getType() + ", which has "
                    + getData().getChildCount());
        }
        ArrayData child = getData().child(index);
        switch (getData().getType().storageType().id()) {
            case STRUCT:
            case SPARSE_UNION:
                child = child.slice(getData().getOffset(), getLength());
                break;
            default:
                break;
        }
        return new Face(handle, child);
    }

    /**
     * The child of the first field with a name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public final ArrayView child(String name) {
        List<Field> fields = getType().storageType().children();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(name)) {
                return child(i);
            }
        }
        StringBuilder names = new StringBuilder();
        for (Field field : fields) {
            names.append(names.length() == 0 ? "" : ", ").append(field.name());
        }
        throw new IllegalArgumentException("no child is named \"" + name + "\"; there are: " + names);
    }

    /**
     * The dictionary of a dictionary-encoded array.
     *
     * @throws UnsupportedOperationException if the array is not dictionary-encoded
     */
    public final ArrayView getDictionary() {
        ArrayData dictionary = getData().getDictionary();
        if (dictionary == null) {
            throw new UnsupportedOperationException("an array of type " + getType() + " has no dictionary");
        }
        return new Face(handle, dictionary);
    }

    /**
     * Whether two arrays have the same type and the same values in the same order. Offsets, the content of buffers under
     * null values, and how values are laid out within the type (the order of a dictionary, the cut of runs) are of no
     * meaning. Floating point numbers are compared as {@link Double#equals} does.
     */
    public final boolean valuesEqual(ArrayView other) {
        if (!getType().equals(other.getType()) || getLength() != other.getLength()) {
            return false;
        }
        return this.<Boolean>borrow(mine -> other.<Boolean>borrow(theirs -> {
            for (long i = 0; i < mine.getLength(); i++) {
                if (!((ValueReader) mine).same(i, (ValueReader) theirs, i)) {
                    return false;
                }
            }
            return true;
        }));
    }

    /**
     * Type, length and the first values. Never fails: of memory that the host can't read, or of an array that was closed
     * or moved, it says so instead.
     */
    @Override
    public final String toString() {
        return TextFormat.array(this);
    }

    /** Holds the memory for a getter, which must drop it; waits for the data. */
    final ArrayReader hold(String operation) {
        Handle.State state = handle.state;
        state.hold(operation);
        try {
            ArrayReader known = reader;
            if (known == null) {
                awaitReady();
                known = reader(operation, null);
                reader = known;
            }
            return known;
        } catch (Throwable e) {
            state.drop();
            throw e;
        }
    }

    private ArrayReader reader(String operation, @Nullable BorrowScope scope) {
        try {
            return Readers.of(getData(), scope);
        } catch (UnreadableDeviceException e) {
            throw new UnreadableDeviceException(operation, e);
        }
    }

    /** Waits for values that are not there yet and that the host can read. */
    final void awaitReady() {
        DeviceEvent ready = handle.state.ready();
        if (ready != null && getData().isPartlyHostReadable()) {
            ready.await();
        }
    }

    /** A borrowed part of an array. */
    private static final class Face extends ArrayView {
        Face(Handle handle, ArrayData data) {
            super(handle, data);
        }
    }
}
