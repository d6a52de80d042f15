package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The operations on arrays: they check what is given, keep it alive meanwhile, and make the owner of the result. If one
 * fails, what it allocated is freed, and the inputs are as before.
 */
public final class Operations {
    private Operations() {}

    /** The elements for which a mask is true. */
    public static DeviceArray filter(ArrayView array, ArrayView mask) {
        if (mask.getType().storageType().id() != TypeId.BOOL) {
            throw new IllegalArgumentException(
                    "filter: a mask is an array of type bool, not " + Brief.type(mask.getType()));
        }
        if (mask.getLength() != array.getLength()) {
            throw new IllegalArgumentException(
                    "filter: a mask of length " + mask.getLength() + " for " + array.getLength() + " elements");
        }
        try (Input booleans = new Input(mask, "filter: the mask")) {
            return filtered(array, MaskSelection.of(booleans.data));
        }
    }

    /** The elements for whose index a predicate is true. */
    public static DeviceArray filter(ArrayView array, LongPredicate predicate) {
        try (Output scratch = new Output()) {
            return filtered(array, MaskSelection.of(predicate, array.getLength(), scratch));
        }
    }

    private static DeviceArray filtered(ArrayView array, Selection selection) {
        return selection.length() == array.getLength()
                ? shared(array, "filter")
                : make(array, "filter", (data, output) -> new Gather(output, "filter").gather(data, selection, true));
    }

    /** The same memory, after the checks that an operation makes on every other input. */
    static DeviceArray shared(ArrayView array, String operation) {
        new Input(array, operation).close();
        return array.share();
    }

    /**
     * The elements at indices.
     *
     * @param rows whether the array is that of a batch, whose rows can't be null themselves
     */
    public static DeviceArray take(ArrayView array, ArrayView indices, boolean rows) {
        ArrowType type = indices.getType();
        if (!type.id().isInteger()) {
            throw new IllegalArgumentException("take: indices are an array of integers, not " + Brief.type(type));
        }
        try (Input numbers = new Input(indices, "take: the indices")) {
            Selection selection = new IndexSelection(numbers.data, type.id(), array.getLength(), "take");
            return take(array, selection, rows);
        }
    }

    /** The elements at indices; see {@link #take(ArrayView, ArrayView, boolean)}. */
    public static DeviceArray take(ArrayView array, long[] indices, boolean rows) {
        for (int i = 0; i < indices.length; i++) {
            if (indices[i] < 0 || indices[i] >= array.getLength()) {
                throw IndexSelection.outside("take", Long.toString(indices[i]), i, array.getLength());
            }
        }
        return take(array, ChildSelections.ofPositions(indices, indices.length, false), rows);
    }

    private static DeviceArray take(ArrayView array, Selection selection, boolean rows) {
        if (selection.hasMissing()) {
            requireNullable(array.getType(), rows);
        }
        return make(array, "take", (data, output) -> new Gather(output, "take").gather(data, selection, !rows));
    }

    /** A null index makes a null, which not every field and type can have. */
    private static void requireNullable(ArrowType type, boolean rows) {
        List<Field> fields = type.storageType().children();
        for (Field field : rows ? fields : List.<Field>of()) {
            if (!field.nullable()) {
                throw new IllegalArgumentException("take: a null index makes a row of nulls, and column "
                        + Brief.quoted(field.name()) + " is declared not nullable");
            }
        }
        boolean can = rows
                ? fields.stream().allMatch(field -> UnionGather.canBeNull(field.type()))
                : UnionGather.canBeNull(type);
        if (!can) {
            throw new IllegalArgumentException(
                    "take: a null index makes a null, which " + Brief.type(type) + " can't have");
        }
    }

    /** What computes the structure of a result. */
    interface Work {
        ArrayData make(ArrayData data, Output output);
    }

    static DeviceArray make(ArrayView array, String operation, Work work) {
        try (Input input = new Input(array, operation);
                Output output = new Output()) {
            return finish(work.make(input.data, output), output);
        }
    }

    private static DeviceArray finish(ArrayData data, Output output) {
        ReferenceCounted owner = output.owner();
        try {
            return Owners.array(data, owner);
        } catch (Throwable e) {
            owner.release();
            throw e;
        }
    }

    /** The elements of several arrays of one type, one after the other. */
    public static DeviceArray concat(List<? extends ArrayView> arrays) {
        if (arrays.isEmpty()) {
            throw new IllegalArgumentException("concat: there is no array, so there is no type");
        }
        ArrowType type = arrays.get(0).getType();
        for (int i = 1; i < arrays.size(); i++) {
            if (!arrays.get(i).getType().equals(type)) {
                throw new IllegalArgumentException("concat: array " + i + " is "
                        + Brief.type(arrays.get(i).getType()) + ", and array 0 is " + Brief.type(type)
                        + "; types, with the names and nullability of fields, must be equal");
            }
        }
        if (arrays.size() == 1) {
            return shared(arrays.get(0), "concat");
        }
        List<Input> inputs = new ArrayList<>(arrays.size());
        try (Output output = new Output()) {
            List<ArrayData> parts = new ArrayList<>(arrays.size());
            for (ArrayView array : arrays) {
                Input input = new Input(array, "concat");
                inputs.add(input);
                parts.add(input.data);
            }
            return finish(new Concat(output, "concat").concat(parts), output);
        } finally {
            inputs.forEach(Input::close);
        }
    }
}
