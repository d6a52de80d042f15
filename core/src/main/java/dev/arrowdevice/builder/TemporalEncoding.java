package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimestampType;
import org.jspecify.annotations.Nullable;

/** Dates, times, timestamps, durations and month intervals: java.time values, or the raw numbers. */
final class TemporalEncoding extends NumberEncoding {
    private final TemporalEncoder encoder;

    /** The number of units that each number must be a multiple of. */
    private final long multiple;

    private final Place place;

    private TemporalEncoding(long min, long max, long multiple, TemporalEncoder encoder, Place place) {
        super(min, max);
        this.encoder = encoder;
        this.multiple = multiple;
        this.place = place;
    }

    static TemporalEncoding of(ArrowType type, Place place) {
        return switch (type.id()) {
            case DATE32 -> ofAll32(TemporalEncoder.date32(), place);
            // Each number must be checked.
            case DATE64 -> new TemporalEncoding(1, 0, TemporalEncoder.MILLIS_PER_DAY, TemporalEncoder.date64(), place);
            case TIME32, TIME64 -> {
                TimeType time = (TimeType) type;
                // "The allowed values are between 0 (inclusive) and 86400 (exclusive) seconds".
                long end = TemporalEncoder.SECONDS_PER_DAY * time.unit().perSecond();
                yield new TemporalEncoding(0, end - 1, 1, TemporalEncoder.time(time.unit()), place);
            }
            case TIMESTAMP -> {
                TimestampType timestamp = (TimestampType) type;
                yield ofAll64(
                        timestamp.timezone() == null
                                ? TemporalEncoder.wallClock(timestamp.unit())
                                : TemporalEncoder.instant(timestamp.unit()),
                        place);
            }
            case DURATION -> ofAll64(TemporalEncoder.duration(((DurationType) type).unit()), place);
            case INTERVAL_MONTHS -> ofAll32(TemporalEncoder.months(), place);
            default -> throw new AssertionError(type);
        };
    }

    private static TemporalEncoding ofAll32(TemporalEncoder encoder, Place place) {
        return new TemporalEncoding(Integer.MIN_VALUE, Integer.MAX_VALUE, 1, encoder, place);
    }

    private static TemporalEncoding ofAll64(TemporalEncoder encoder, Place place) {
        return new TemporalEncoding(Long.MIN_VALUE, Long.MAX_VALUE, 1, encoder, place);
    }

    @Override
    long ofLong(long value) {
        if (multiple == 1) {
            throw place.unfit(Long.toString(value));
        }
        if (value % multiple != 0) {
            throw place.fail(value + " ms are no whole number of days");
        }
        return value;
    }

    @Override
    long ofUnsigned(long bits) {
        throw place.unfit(Long.toUnsignedString(bits));
    }

    @Override
    long ofDouble(double value) {
        throw place.unfit("a floating point number");
    }

    @Override
    @Nullable
    Long bitsOf(Object value) {
        Long number;
        if (value instanceof Integer || value instanceof Long) {
            number = ((Number) value).longValue();
        } else {
            try {
                number = encoder.encode(value, place);
            } catch (ArithmeticException e) {
                throw place.unfit(value.toString());
            }
        }
        return number == null ? null : Long.valueOf(bitsOfLong(number));
    }

    @Override
    boolean append(Object value, NumberBuilder target) {
        if (value instanceof Integer || value instanceof Long) {
            target.append(((Number) value).longValue());
            return true;
        }
        Long bits = bitsOf(value);
        if (bits == null) {
            return false;
        }
        target.add(bits);
        return true;
    }
}
