package dev.arrowdevice;

import dev.arrowdevice.internal.copying.ByteForms;
import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.internal.printing.TextFormat;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A view of an array, for reading. It owns nothing, and lives as long as the {@link DeviceArray} or {@link RecordBatch}
 * that it came from. {@link #share()} makes an owner of it.
 *
 * <p>A getter returns data or throws an {@link IllegalStateException}. It never reads freed memory, even if another
 * thread closes the owner meanwhile. Indexes and counts are in elements. All methods may be called from any thread.
 *
 * <p><b>What a call costs</b>: {@link #getInt}, {@link #getLong}, {@link #getFloat}, {@link #getDouble} and
 * {@link #isNull} take one or two nanoseconds if indexes rise by less than eight at a time. They copy up to 1,024
 * values ahead, and check that the owner is live before they return one of them. The copy belongs to this view: keep
 * the view for a loop, and use one view per thread. In any other order, and for other types, each call begins and ends
 * a read of its own, which takes about ten nanoseconds more. {@link #borrow} begins one read, for values in any order.
 *
 * <p>Methods with a target, such as {@link #getInts}, copy a range. What they write for nulls is unspecified.
 * {@code to…Array()} copies all values and throws {@link IllegalStateException} if there are nulls;
 * {@code to…Array(nullValue)} writes that value in place of nulls. If the array stores values of the same width, these
 * methods copy memory; otherwise they read, and widen, one value after the other.
 *
 * <p>The specification regards values as immutable. If something changes the memory of an array, such as a kernel that
 * writes to managed memory, a getter may return the value from before the change. {@link #borrow} reads the memory
 * itself.
 *
 * <p>Every getter throws {@link IllegalStateException} for a null value and after the owner was closed or moved,
 * {@link IndexOutOfBoundsException}, {@link UnsupportedOperationException} if the type has no such value, and
 * {@link dev.arrowdevice.UnreadableDeviceException} if the host can't read the device.
 */
public abstract class ArrayView extends ArrayOperations {
    ArrayView(Ownership ownership, ArrayData data) {
        super(ownership, data);
    }

    @Override
    final ArrayView view() {
        return this;
    }

    /**
     * The number of elements that the validity bitmap marks null. For the null type these are all elements; for unions
     * and run-end encoded arrays, which have no bitmap, it is 0. Computed at the first call if the producer did not
     * give it.
     */
    public final long getNullCount() {
        ArrayData data = getData();
        long known = data.getKnownNullCount();
        if (known != ArrayData.UNKNOWN_NULL_COUNT) {
            return known;
        }
        ownership.state.beginRead("nullCount", name());
        try {
            awaitReady();
            return data.getNullCount();
        } catch (UnreadableDeviceException e) {
            throw new UnreadableDeviceException("nullCount", e);
        } finally {
            ownership.state.endRead();
        }
    }

    /**
     * Reads many values. The reader is valid until the function returns, on the calling thread. Meanwhile the memory
     * can't be freed: the owner can be closed, which takes effect at the end, but not moved.
     */
    public final <R> R borrow(Function<? super ArrayReader, ? extends R> read) {
        return borrow("borrow", read);
    }

    /** Reads many values for an operation, which the messages of exceptions name. */
    final <R> R borrow(String operation, Function<? super ArrayReader, ? extends R> read) {
        ownership.state.beginRead(operation, name());
        try {
            awaitReady();
            try (BorrowScope scope = BorrowScope.open()) {
                ValueReader reader = reader(operation, scope);
                try {
                    return read.apply(reader);
                } finally {
                    reader.end();
                }
            }
        } finally {
            ownership.state.endRead();
        }
    }

    /**
     * Copies booleans to {@code arrow.bool8}, with one byte for each value, on the same device, and returns the copy,
     * which the caller closes. For libraries that don't support bitmaps. Nulls stay null. Waits until the values are
     * there.
     *
     * @throws IllegalArgumentException if the array is not of type bool
     */
    public final DeviceArray toBool8() {
        if (!getType().equals(ArrowType.BOOL)) {
            throw new IllegalArgumentException("toBool8: the array is of type " + getType() + ", not bool");
        }
        try (DeviceArray shared = share()) {
            shared.await();
            return ByteForms.bool8(shared.getData());
        }
    }

    /**
     * A child array: a field of a struct (from this array's offset on), the elements of all lists, the entries of all
     * maps, a child of a union, the run ends (0) or values (1) of a run-end encoded array.
     *
     * @throws IndexOutOfBoundsException if there is no such child
     */
    public final ArrayView child(int index) {
        return new BorrowedView(ownership, childData(index), nameOf(index));
    }

    private String nameOf(int child) {
        return getType().storageType().children().get(child).name();
    }

    /**
     * A field of a struct whose values are also null where the struct is null. If the struct has no nulls, this is the
     * same as {@link #child(int)}. Only reads see the nulls of the struct: the view's structure, and owners made of it,
     * are those of the field alone.
     */
    final ArrayView field(int index) {
        boolean mayHaveNulls = getData().getValidity() != null && getData().getKnownNullCount() != 0;
        return mayHaveNulls || this instanceof FieldView
                ? new FieldView(this, childData(index), nameOf(index))
                : child(index);
    }

    private ArrayData childData(int index) {
        if (index < 0 || index >= getData().getChildCount()) {
            throw new IndexOutOfBoundsException("child " + index + " of " + getType() + ", which has "
                    + getData().getChildCount());
        }
        ArrayData child = getData().child(index);
        switch (getType().storageType().id()) {
            case STRUCT:
            case SPARSE_UNION:
                return child.slice(getData().getOffset(), getLength());
            default:
                return child;
        }
    }

    /**
     * The child of the first field with a name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public final ArrayView child(String name) {
        return child("child", name);
    }

    /**
     * The child of the first field with a name.
     *
     * @param what what the caller calls a child
     */
    final ArrayView child(String what, String name) {
        List<Field> fields = getType().storageType().children();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(name)) {
                return child(i);
            }
        }
        throw new IllegalArgumentException(
                "no " + what + " is named " + Brief.quoted(name) + "; there are: " + Brief.names(fields));
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
        return new BorrowedView(ownership, dictionary, name());
    }

    /**
     * Whether two arrays have the same type and the same values in the same order. Offsets and the content of buffers
     * under null values don't matter, nor does the layout of values within the type, such as the order of a dictionary
     * or the lengths of runs. Floating point numbers are compared as {@link Double#equals} does.
     */
    public final boolean valuesEqual(ArrayView other) {
        if (!getType().equals(other.getType()) || getLength() != other.getLength()) {
            return false;
        }
        return this.<Boolean>borrow(
                "valuesEqual",
                mine -> other.<Boolean>borrow("valuesEqual", theirs -> {
                    ValueReader left = (ValueReader) mine;
                    ValueReader right = (ValueReader) theirs;
                    if (left.isSparse()) {
                        return left.sameRange(0, right, 0, left.getLength());
                    }
                    for (long i = 0;
                            i < left.getLength();
                            i++) { // Here, where the JIT compiler sees few types of readers.
                        if (!left.same(i, right, i)) {
                            return false;
                        }
                    }
                    return true;
                }));
    }

    /**
     * The type, the length and the first values. Never fails: if the host can't read the memory, or the array was
     * closed or moved, the text says so.
     */
    @Override
    public final String toString() {
        return TextFormat.array(this);
    }

    /** A child or a dictionary. */
    private static final class BorrowedView extends ArrayView {
        private final @Nullable String name;

        BorrowedView(Ownership ownership, ArrayData data, @Nullable String name) {
            super(ownership, data);
            this.name = name;
        }

        @Override
        @Nullable
        String name() {
            return name;
        }
    }

    /** A field of a struct that is also null where the struct is null. */
    private static final class FieldView extends ArrayView {
        private final ArrayView struct;
        private final String name;

        FieldView(ArrayView struct, ArrayData field, String name) {
            super(struct.ownership, field);
            this.struct = struct;
            this.name = name;
        }

        @Override
        String name() {
            return name;
        }

        @Override
        ValueReader newReader(@Nullable BorrowScope scope) {
            return ValueReader.ofField(getData(), struct.newReader(scope), super.newReader(scope));
        }
    }
}
