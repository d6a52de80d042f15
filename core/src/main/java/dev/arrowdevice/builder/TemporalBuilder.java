package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.Field;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimestampType;
import org.jspecify.annotations.Nullable;

/** Builds dates, times, timestamps, durations and month intervals: of java.time values, or of the raw numbers. */
final class TemporalBuilder extends FixedWidthBuilder {
    private final TemporalEncoder encoder;
    private final long min;
    private final long max;
    private final long multiple;

    TemporalBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        boolean narrow = byteWidth == 4;
        long smallest = narrow ? Integer.MIN_VALUE : Long.MIN_VALUE;
        long largest = narrow ? Integer.MAX_VALUE : Long.MAX_VALUE;
        long step = 1;
        ArrowType type = field.type().storageType();
        switch (type.id()) {
            case DATE32 -> encoder = TemporalEncoder.date32();
            case DATE64 -> {
                encoder = TemporalEncoder.date64();
                step = TemporalEncoder.MILLIS_PER_DAY;
            }
            case TIME32, TIME64 -> {
                TimeType time = (TimeType) type;
                encoder = TemporalEncoder.time(time.unit());
                // "The allowed values are between 0 (inclusive) and 86400 (exclusive) seconds".
                smallest = 0;
                largest = TemporalEncoder.SECONDS_PER_DAY * time.unit().perSecond() - 1;
            }
            case TIMESTAMP -> {
                TimestampType timestamp = (TimestampType) type;
                encoder = timestamp.timezone() == null
                        ? TemporalEncoder.wallClock(timestamp.unit())
                        : TemporalEncoder.instant(timestamp.unit());
            }
            case DURATION -> encoder = TemporalEncoder.duration(((DurationType) type).unit());
            case INTERVAL_MONTHS -> encoder = TemporalEncoder.months();
            default -> throw new AssertionError(type);
        }
        this.min = smallest;
        this.max = largest;
        this.multiple = step;
    }

    @Override
    public void append(long value) {
        if (value < min || value > max) {
            throw unfit(Long.toString(value));
        }
        if (multiple != 1 && value % multiple != 0) {
            throw fail(value + " ms are no whole number of days");
        }
        long at = nextIndex();
        if (byteWidth == 4) {
            values.putInt(at << 2, (int) value);
        } else {
            values.putLong(at << 3, value);
        }
        length = at + 1;
    }

    @Override
    public void appendAll(int[] source, boolean @Nullable [] valid) {
        if (min == Integer.MIN_VALUE && allowsBulk(source.length, valid)) {
            values.put(length << 2, source, 0, source.length);
            appended(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(long[] source, boolean @Nullable [] valid) {
        if (min == Long.MIN_VALUE && multiple == 1 && allowsBulk(source.length, valid)) {
            values.put(length << 3, source, 0, source.length);
            appended(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    boolean appendValue(Object value) {
        if (value instanceof Integer || value instanceof Long) {
            append(((Number) value).longValue());
            return true;
        }
        Long raw;
        try {
            raw = encoder.encode(value);
        } catch (TemporalEncoder.Inexact e) {
            throw fail(String.valueOf(e.getMessage()));
        } catch (ArithmeticException e) {
            throw unfit(value.toString());
        }
        if (raw == null) {
            return false;
        }
        append((long) raw);
        return true;
    }
}
