package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Values that are kept once, in a dictionary, and referred to by an index. "The memory layout for a dictionary-encoded
 * array is the same as that of a primitive integer layout": the layout of the index type.
 *
 * @param indexType "can only be an integer type, preferably signed, with width 8 to 64 bits"
 * @param valueType the type of the dictionary's values; may be a dictionary or an extension
 * @param ordered "whether the ordering of dictionary indices is semantically meaningful"
 */
public record DictionaryType(ArrowType indexType, ArrowType valueType, boolean ordered) implements ArrowType {
    public DictionaryType {
        if (!indexType.id().isInteger()) {
            throw new InvalidSchemaException("the index of a dictionary is an integer, not " + Brief.type(indexType));
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
