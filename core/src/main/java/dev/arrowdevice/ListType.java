package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Lists of any length.
 *
 * @param id {@link TypeId#LIST}, {@link TypeId#LARGE_LIST}, {@link TypeId#LIST_VIEW} or {@link TypeId#LARGE_LIST_VIEW}
 * @param element the one child
 */
public record ListType(TypeId id, Field element) implements ArrowType {
    public ListType {
        layoutOf(id);
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
        return layoutOf(id);
    }

    private static Layout layoutOf(TypeId id) {
        return switch (id) {
            case LIST -> Layouts.LIST32;
            case LARGE_LIST -> Layouts.LIST64;
            case LIST_VIEW -> Layouts.LIST_VIEW32;
            case LARGE_LIST_VIEW -> Layouts.LIST_VIEW64;
            default -> throw new InvalidSchemaException(id + " is no list type of variable length");
        };
    }

    @Override
    public String toString() {
        String name = switch (id) {
            case LIST -> "list";
            case LARGE_LIST -> "large_list";
            case LIST_VIEW -> "list_view";
            default -> "large_list_view";
        };
        return name + "<" + element + ">";
    }
}
