package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Json;
import dev.arrowdevice.internal.type.TextBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code arrow.fixed_shape_tensor}: each element is a tensor of one shape. Its numbers are stored in row-major order in
 * a fixed_size_list whose size is the product of the shape.
 *
 * <p>Two tensor types are equal if they mean the same, even if their JSON differs.
 */
public final class FixedShapeTensor extends ExtensionType {
    private final List<Integer> shape;
    private final List<String> dimNames;
    private final List<Integer> permutation;

    private FixedShapeTensor(
            FixedSizeListType storage,
            byte[] serialized,
            List<Integer> shape,
            List<String> dimNames,
            List<Integer> permutation) {
        super(FIXED_SHAPE_TENSOR, storage, serialized);
        this.shape = List.copyOf(shape);
        this.dimNames = List.copyOf(dimNames);
        this.permutation = List.copyOf(permutation);
        checkShape(storage);
        if (!this.dimNames.isEmpty() && this.dimNames.size() != this.shape.size()) {
            throw invalid("expected one dim_names entry per dimension (" + this.shape.size() + "), got "
                    + this.dimNames.size());
        }
        checkPermutation();
    }

    static FixedShapeTensor of(
            ArrowType element, List<Integer> shape, List<String> dimNames, List<Integer> permutation) {
        FixedSizeListType storage = ArrowType.fixedSizeList(element, elementCount(shape));
        byte[] serialized = TextBytes.utf8("tensor type", Json.writeTensor(shape, dimNames, permutation));
        return new FixedShapeTensor(storage, serialized, shape, dimNames, permutation);
    }

    static FixedShapeTensor parse(ArrowType storage, byte[] serialized) {
        requireStorage(storage instanceof FixedSizeListType, FIXED_SHAPE_TENSOR, "fixed_size_list", storage);
        Map<String, @Nullable Object> members = Json.readObject(FIXED_SHAPE_TENSOR, serialized);
        if (members.get("shape") == null) {
            throw invalid("expected a member \"shape\"");
        }
        return new FixedShapeTensor(
                (FixedSizeListType) storage,
                serialized,
                integers(members, "shape"),
                strings(members, "dim_names"),
                integers(members, "permutation"));
    }

    /** The field of the numbers. */
    public Field element() {
        return ((FixedSizeListType) storageType()).element();
    }

    /** The physical shape: the size of each dimension, the slowest first. */
    public List<Integer> shape() {
        return shape;
    }

    /** The names of the physical dimensions, or an empty list if they have none. */
    public List<String> dimNames() {
        return dimNames;
    }

    /**
     * "The i-th dimension of the logical view corresponds to the dimension with number permutations[i] of the physical
     * tensor"; an empty list for the physical order.
     */
    public List<Integer> permutation() {
        return permutation;
    }

    /** The logical shape: {@link #shape()} in the order of {@link #permutation()}. */
    public List<Integer> logicalShape() {
        if (permutation.isEmpty()) {
            return shape;
        }
        List<Integer> logical = new ArrayList<>(shape.size());
        permutation.forEach(dimension -> logical.add(shape.get(dimension)));
        return List.copyOf(logical);
    }

    private void checkShape(FixedSizeListType storage) {
        int count = elementCount(shape);
        if (count != storage.listSize()) {
            throw invalid(
                    "shape " + Brief.text(shape) + " has " + count + " elements, the storage " + storage.listSize());
        }
    }

    private void checkPermutation() {
        if (permutation.isEmpty()) {
            return;
        }
        boolean[] seen = new boolean[shape.size()];
        boolean valid = permutation.size() == seen.length;
        for (int i = 0; valid && i < seen.length; i++) {
            int dimension = permutation.get(i);
            valid = dimension >= 0 && dimension < seen.length && !seen[dimension];
            if (valid) {
                seen[dimension] = true;
            }
        }
        if (!valid) {
            throw invalid(
                    "expected a permutation of the " + seen.length + " dimensions, got " + Brief.text(permutation));
        }
    }

    private static int elementCount(List<Integer> shape) {
        long count = 1;
        for (int size : shape) {
            if (size < 0) {
                throw invalid("a dimension has 0 or more elements, not " + size);
            }
            // The product saturates, and a later 0 still makes it 0.
            count = Math.min(count * size, Integer.MAX_VALUE + 1L);
        }
        if (count > Integer.MAX_VALUE) {
            throw invalid("shape " + Brief.text(shape) + " has more elements than a fixed_size_list can");
        }
        return (int) count;
    }

    private static List<Integer> integers(Map<String, @Nullable Object> members, String name) {
        List<Integer> result = new ArrayList<>();
        for (Object item : list(members, name)) {
            if (!(item instanceof Long number) || number < Integer.MIN_VALUE || number > Integer.MAX_VALUE) {
                throw invalid("expected 32-bit integers in \"" + name + "\", got " + Brief.text(item));
            }
            result.add(number.intValue());
        }
        return result;
    }

    private static List<String> strings(Map<String, @Nullable Object> members, String name) {
        List<String> result = new ArrayList<>();
        for (Object item : list(members, name)) {
            if (!(item instanceof String text)) {
                throw invalid("expected strings in \"" + name + "\", got " + Brief.text(item));
            }
            result.add(text);
        }
        return result;
    }

    private static List<?> list(Map<String, @Nullable Object> members, String name) {
        Object value = members.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> items)) {
            throw invalid("expected \"" + name + "\" to be an array");
        }
        return items;
    }

    private static InvalidSchemaException invalid(String what) {
        return new InvalidSchemaException(FIXED_SHAPE_TENSOR + ": " + what);
    }

    private boolean isPermuted() {
        for (int i = 0; i < permutation.size(); i++) {
            if (permutation.get(i) != i) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FixedShapeTensor that
                && storageType().equals(that.storageType())
                && shape.equals(that.shape)
                && dimNames.equals(that.dimNames)
                && isPermuted() == that.isPermuted()
                && (!isPermuted() || permutation.equals(that.permutation));
    }

    @Override
    public int hashCode() {
        return Objects.hash(storageType(), shape, dimNames);
    }

    @Override
    public String toString() {
        return "extension<" + FIXED_SHAPE_TENSOR + "[value_type=" + element().type() + ", shape=" + shape
                + (dimNames.isEmpty() ? "" : ", dim_names=" + dimNames)
                + (isPermuted() ? ", permutation=" + permutation : "") + "]>";
    }
}
