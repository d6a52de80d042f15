package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.TypeId;
import org.jspecify.annotations.Nullable;

/** Encodes values as the numbers of a type, of one to eight bytes. The builder itself does the quick cases. */
abstract class NumberEncoding {
    /** The smallest and the largest integer that stand for themselves. If {@link #min} is above {@link #max}, none does. */
    final long min;

    final long max;

    NumberEncoding(long min, long max) {
        this.min = min;
        this.max = max;
    }

    static NumberEncoding of(Field field, Place place) {
        TypeId id = field.type().storageType().id();
        return switch (id) {
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> IntegerEncoding.of(field.type(), place);
            case FLOAT16, FLOAT32, FLOAT64 -> new FloatingEncoding(id, place);
            default -> TemporalEncoding.of(field.type().storageType(), place);
        };
    }

    /** The bits of an integer that does not stand for itself. Throws if the type does not take it. */
    abstract long ofLong(long value);

    /** The bits of an integer from 2⁶³ on. Throws if the type does not take it. */
    abstract long ofUnsigned(long bits);

    /** The bits of a floating point number. Throws if the type does not take it. */
    abstract long ofDouble(double value);

    /** The bits of a floating point number. Throws if the type does not take it. */
    long ofFloat(float value) {
        return ofDouble(value);
    }

    /** The bits that {@link #append} stores for an object. Null if its class does not fit. Throws if its value does not. */
    abstract @Nullable Long bitsOf(Object value);

    /** The bits of an integer. Throws if the type does not take it. */
    final long bitsOfLong(long value) {
        return value < min || value > max ? ofLong(value) : value;
    }

    /** Appends an object. Returns false if its class does not fit. */
    abstract boolean append(Object value, NumberBuilder target);
}
