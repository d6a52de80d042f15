package dev.arrowdevice.type;

import java.util.List;

/**
 * Values kept once in a dictionary and pointed at by an index. "The ArrowSchema.format … encodes the index type": the
 * array's own buffers are those of the index type.
 *
 * @param indexType any integer type
 * @param valueType the type of the dictionary's values, itself possibly a dictionary or an extension
 * @param ordered "whether the ordering of dictionary indices is semantically meaningful"
 */
public record DictionaryType(ArrowType indexType, ArrowType valueType, boolean ordered) implements ArrowType {
    public DictionaryType {
        if (!indexType.id().isInteger()) {
            throw new InvalidSchemaException("the index of a dictionary is an integer, not " + indexType);
        }
    }

    @Override
    public TypeId id() {
        return TypeId.DICTIONARY;
    }

    @Override
    public List<Field> children() {
        return List.of();
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return indexType.layout();
    }

    @Override
    public String toString() {
        return "dictionary<values=" + valueType + ", indices=" + indexType + ", ordered=" + ordered + ">";
    }
}
