package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Binary values of the same width.
 *
 * @param byteWidth bytes per value, from 0 to {@link #MAX_BYTE_WIDTH}
 */
public record FixedSizeBinaryType(int byteWidth) implements ArrowType {
    /** The widest value whose number of bits fits an {@code int}: 256 MiB less one byte. */
    public static final int MAX_BYTE_WIDTH = Integer.MAX_VALUE / 8;

    public FixedSizeBinaryType {
        if (byteWidth < 0 || byteWidth > MAX_BYTE_WIDTH) {
            throw new InvalidSchemaException(
                    "fixed_size_binary has values of 0 to " + MAX_BYTE_WIDTH + " bytes, not " + byteWidth);
        }
    }

    @Override
    public TypeId id() {
        return TypeId.FIXED_SIZE_BINARY;
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
        return Layouts.fixedWidth(byteWidth * 8);
    }

    @Override
    public String toString() {
        return "fixed_size_binary[" + byteWidth + "]";
    }
}
