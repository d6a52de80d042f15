package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type without parameters, e.g. {@code int32} or {@code utf8}; use the constants of {@link ArrowType}. */
record PrimitiveType(TypeId id) implements ArrowType {
    /** By the ordinal of a {@link TypeId}. Each export and import of a column asks for it. */
    private static final @Nullable Layout[] LAYOUTS = new Layout[TypeId.values().length];

    static {
        for (TypeId id : TypeId.values()) {
            LAYOUTS[id.ordinal()] = layoutOf(id);
        }
    }

    PrimitiveType {
        if (LAYOUTS[id.ordinal()] == null) {
            throw new InvalidSchemaException(id + " has parameters: it is no primitive type");
        }
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
        return LAYOUTS[id.ordinal()];
    }

    private static @Nullable Layout layoutOf(TypeId id) {
        return switch (id) {
            case NULL -> Layouts.EMPTY;
            case BOOL -> Layouts.BITS1;
            case INT8, UINT8 -> Layouts.BITS8;
            case INT16, UINT16, FLOAT16 -> Layouts.BITS16;
            case INT32, UINT32, FLOAT32, DATE32, INTERVAL_MONTHS -> Layouts.BITS32;
            case INT64, UINT64, FLOAT64, DATE64, INTERVAL_DAY_TIME -> Layouts.BITS64;
            case INTERVAL_MONTH_DAY_NANO -> Layouts.BITS128;
            case UTF8, BINARY -> Layouts.VARIABLE32;
            case LARGE_UTF8, LARGE_BINARY -> Layouts.VARIABLE64;
            case UTF8_VIEW, BINARY_VIEW -> Layouts.VIEW;
            default -> null;
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
