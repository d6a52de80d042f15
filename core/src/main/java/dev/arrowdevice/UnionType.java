package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Values, each of which comes from one of several children.
 *
 * @param id {@link TypeId#SPARSE_UNION} or {@link TypeId#DENSE_UNION}
 * @param typeIds the type id of each child, in the children's order: unique, 0 to 127
 * @param fields the children
 */
public record UnionType(TypeId id, List<Integer> typeIds, List<Field> fields) implements ArrowType {
    /** The largest type id. */
    public static final int MAX_TYPE_ID = 127;

    public UnionType {
        typeIds = List.copyOf(typeIds);
        fields = List.copyOf(fields);
        if (id != TypeId.SPARSE_UNION && id != TypeId.DENSE_UNION) {
            throw new InvalidSchemaException(id + " is no union type");
        }
        if (typeIds.size() != fields.size()) {
            throw new InvalidSchemaException("a union has one type id per child, not " + typeIds.size()
                    + " type ids and " + fields.size() + " children");
        }
        Set<Integer> seen = new HashSet<>();
        for (int typeId : typeIds) {
            if (typeId < 0 || typeId > MAX_TYPE_ID) {
                throw new InvalidSchemaException("the type ids of a union are from 0 to 127, not " + typeId);
            }
            if (!seen.add(typeId)) {
                throw new InvalidSchemaException(
                        "the type ids of a union are unique, and " + typeId + " is there twice");
            }
        }
    }

    /** The index of the child that has the values of {@code typeId}, or -1 if no child has that id. */
    public int childIndex(int typeId) {
        return typeIds.indexOf(typeId);
    }

    /** A new table of 128 entries from type id to child index, -1 where no child has the id. */
    public int[] childIndices() {
        int[] indices = new int[MAX_TYPE_ID + 1];
        Arrays.fill(indices, -1);
        for (int i = 0; i < typeIds.size(); i++) {
            indices[typeIds.get(i)] = i;
        }
        return indices;
    }

    @Override
    public List<Field> children() {
        return fields;
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return id == TypeId.SPARSE_UNION ? Layouts.SPARSE_UNION : Layouts.DENSE_UNION;
    }

    @Override
    public String toString() {
        StringJoiner joined = new StringJoiner(", ", id == TypeId.SPARSE_UNION ? "sparse_union<" : "dense_union<", ">");
        for (int i = 0; i < fields.size(); i++) {
            joined.add(fields.get(i) + "=" + typeIds.get(i));
        }
        return joined.toString();
    }
}
