package dev.arrowdevice.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DayTimeInterval;
import dev.arrowdevice.MonthDayNanoInterval;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TimestampType;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Dates, times, timestamps, durations and intervals. Getters return the raw number, {@code getObject} the value of
 * java.time.
 */
public final class TemporalReader extends ValueReader {
    private static final long MILLIS_PER_DAY = 86_400_000L;

    private final HostMemory values;
    private final boolean wide;
    private final Decoder decoder;

    TemporalReader(ArrayData data, @Nullable HostMemory validity, HostMemory values, boolean wide, Decoder decoder) {
        super(data, validity);
        this.values = values;
        this.wide = wide;
        this.decoder = decoder;
    }

    /** Makes an object from a raw value. */
    interface Decoder {
        Object decode(long raw);
    }

    static Object date32(long days) {
        return LocalDate.ofEpochDay(days);
    }

    static Object date64(long millis) {
        return LocalDate.ofEpochDay(Math.floorDiv(millis, MILLIS_PER_DAY));
    }

    static Object months(long months) {
        return Period.ofMonths((int) months);
    }

    static Decoder time(TimeUnit unit) {
        long nanos = nanos(unit);
        return raw -> LocalTime.ofNanoOfDay(Math.multiplyExact(raw, nanos));
    }

    static Decoder duration(TimeUnit unit) {
        long perSecond = 1_000_000_000L / nanos(unit);
        long nanos = nanos(unit);
        return raw -> Duration.ofSeconds(Math.floorDiv(raw, perSecond), Math.floorMod(raw, perSecond) * nanos);
    }

    static Decoder timestamp(TimestampType type) {
        long nanos = nanos(type.unit());
        long perSecond = 1_000_000_000L / nanos;
        boolean zoned = type.timezone() != null;
        return raw -> {
            long second = Math.floorDiv(raw, perSecond);
            int nano = (int) (Math.floorMod(raw, perSecond) * nanos);
            if (zoned) {
                return Instant.ofEpochSecond(second, nano);
            }
            return LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC);
        };
    }

    private static long nanos(TimeUnit unit) {
        switch (unit) {
            case SECOND:
                return 1_000_000_000L;
            case MILLISECOND:
                return 1_000_000L;
            case MICROSECOND:
                return 1_000L;
            default:
                return 1L;
        }
    }

    @Override
    public int getInt(long index) {
        if (wide) {
            return super.getInt(index);
        }
        return values.getInt(valueIndex(index) << 2);
    }

    @Override
    public long getLong(long index) {
        return wide ? values.getLong(valueIndex(index) << 3) : getInt(index);
    }

    @Override
    public Object valueAt(long index) {
        long raw = getLong(index);
        try {
            return decoder.decode(raw);
        } catch (java.time.DateTimeException | ArithmeticException e) {
            throw new IllegalStateException(
                    "the value " + raw + " at index " + index + " is outside the range of type " + Brief.type(getType())
                            + "; getLong reads it raw",
                    e);
        }
    }

    /** The number, also where java.time has no value for it. */
    @Override
    public @Nullable Object exact(long index) {
        return isNull(index) ? null : (Object) getLong(index);
    }

    @Override
    public boolean sameValue(long index, ValueReader other, long otherIndex) {
        return getLong(index) == other.getLong(otherIndex);
    }

    /** Whether values of the type have 64 bits. */
    static boolean isWide(ArrowType type) {
        return type.layout().bitWidth() == 64;
    }

    static final class DayTime extends ValueReader {
        private final HostMemory values;

        DayTime(ArrayData data, @Nullable HostMemory validity, HostMemory values) {
            super(data, validity);
            this.values = values;
        }

        @Override
        public Object valueAt(long index) {
            long at = valueIndex(index) << 3;
            return new DayTimeInterval(values.getInt(at), values.getInt(at + 4));
        }
    }

    static final class MonthDayNano extends ValueReader {
        private final HostMemory values;

        MonthDayNano(ArrayData data, @Nullable HostMemory validity, HostMemory values) {
            super(data, validity);
            this.values = values;
        }

        @Override
        public Object valueAt(long index) {
            long at = valueIndex(index) << 4;
            return new MonthDayNanoInterval(values.getInt(at), values.getInt(at + 4), values.getLong(at + 8));
        }
    }
}
