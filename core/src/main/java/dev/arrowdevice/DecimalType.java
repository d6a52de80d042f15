package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * An exact decimal number: an integer of {@code precision} digits times 10 to the power of -{@code scale}.
 *
 * @param id {@link TypeId#DECIMAL32}, {@link TypeId#DECIMAL64}, {@link TypeId#DECIMAL128} or {@link TypeId#DECIMAL256}
 * @param precision digits in all, from 1 to {@link #maxPrecision()}
 * @param scale digits behind the decimal point; negative: zeros before it that are not stored
 */
public record DecimalType(TypeId id, int precision, int scale) implements ArrowType {
    public DecimalType {
        int max = maxPrecision(id);
        if (precision < 1 || precision > max) {
            throw new InvalidSchemaException("decimal" + bits(id) + " has 1 to " + max + " digits, not " + precision);
        }
    }

    /** Bits per value: 32, 64, 128 or 256. */
    public int bitWidth() {
        return bits(id);
    }

    /** The largest number of digits of this width: 9, 18, 38 or 76. */
    public int maxPrecision() {
        return maxPrecision(id);
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
        return switch (id) {
            case DECIMAL32 -> Layouts.BITS32;
            case DECIMAL64 -> Layouts.BITS64;
            case DECIMAL128 -> Layouts.BITS128;
            default -> Layouts.BITS256;
        };
    }

    @Override
    public String toString() {
        return "decimal" + bitWidth() + "(" + precision + ", " + scale + ")";
    }

    private static int bits(TypeId id) {
        return switch (id) {
            case DECIMAL32 -> 32;
            case DECIMAL64 -> 64;
            case DECIMAL128 -> 128;
            case DECIMAL256 -> 256;
            default -> throw new InvalidSchemaException(id + " is no decimal type");
        };
    }

    static int maxPrecision(TypeId id) {
        return switch (bits(id)) {
            case 32 -> 9;
            case 64 -> 18;
            case 128 -> 38;
            default -> 76;
        };
    }
}
