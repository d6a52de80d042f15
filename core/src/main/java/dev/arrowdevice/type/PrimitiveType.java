package dev.arrowdevice.type;

import java.util.List;

/** A type without parameters, e.g. {@code int32} or {@code utf8}; use the constants of {@link ArrowType}. */
public record PrimitiveType(TypeId id) implements ArrowType {
    public PrimitiveType {
        layoutOf(id);
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
        return layoutOf(id);
    }

    private static Layout layoutOf(TypeId id) {
        return switch (id) {
            case NULL -> Layout.EMPTY;
            case BOOL -> Layout.BITS1;
            case INT8, UINT8 -> Layout.BITS8;
            case INT16, UINT16, FLOAT16 -> Layout.BITS16;
            case INT32, UINT32, FLOAT32, DATE32, INTERVAL_MONTHS -> Layout.BITS32;
            case INT64, UINT64, FLOAT64, DATE64, INTERVAL_DAY_TIME -> Layout.BITS64;
            case INTERVAL_MONTH_DAY_NANO -> Layout.BITS128;
            case UTF8, BINARY -> Layout.VARIABLE32;
            case LARGE_UTF8, LARGE_BINARY -> Layout.VARIABLE64;
            case UTF8_VIEW, BINARY_VIEW -> Layout.VIEW;
            default -> throw new InvalidSchemaException(id + " has parameters: it is no primitive type");
        };
    }

    @Override
    public String toString() {
        return switch (id) {
            case NULL -> "null";
            case BOOL -> "bool";
            case INT8 -> "int8";
            case UINT8 -> "uint8";
            case INT16 -> "int16";
            case UINT16 -> "uint16";
            case INT32 -> "int32";
            case UINT32 -> "uint32";
            case INT64 -> "int64";
            case UINT64 -> "uint64";
            case FLOAT16 -> "float16";
            case FLOAT32 -> "float32";
            case FLOAT64 -> "float64";
            case UTF8 -> "utf8";
            case LARGE_UTF8 -> "large_utf8";
            case UTF8_VIEW -> "utf8_view";
            case BINARY -> "binary";
            case LARGE_BINARY -> "large_binary";
            case BINARY_VIEW -> "binary_view";
            case DATE32 -> "date32[day]";
            case DATE64 -> "date64[ms]";
            case INTERVAL_MONTHS -> "month_interval";
            case INTERVAL_DAY_TIME -> "day_time_interval";
            case INTERVAL_MONTH_DAY_NANO -> "month_day_nano_interval";
            default -> throw new IllegalStateException(id.name());
        };
    }
}
