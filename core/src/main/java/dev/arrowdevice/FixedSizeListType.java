package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Lists of the same length. List {@code i} has the elements from {@code i * listSize} of the child.
 *
 * @param element the one child
 * @param listSize elements per list, 0 or more
 */
public record FixedSizeListType(Field element, int listSize) implements ArrowType {
    public FixedSizeListType {
        if (listSize < 0) {
            throw new InvalidSchemaException("fixed_size_list has lists of 0 or more elements, not " + listSize);
        }
    }

    @Override
    public TypeId id() {
        return TypeId.FIXED_SIZE_LIST;
    }

    @Override
    public List<Field> children() {
        return List.of(element);
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return Layouts.VALIDITY_ONLY;
    }

    @Override
    public String toString() {
        return "fixed_size_list<" + element + ">[" + listSize + "]";
    }
}
