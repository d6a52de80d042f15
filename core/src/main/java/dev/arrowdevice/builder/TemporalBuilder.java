package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.Field;
import dev.arrowdevice.TimeType;
import dev.arrowdevice.TimestampType;
import dev.arrowdevice.spi.ArrayData;
import org.jspecify.annotations.Nullable;

/** Builds dates, times, timestamps, durations and month intervals: of java.time values, or of the raw numbers. */
final class TemporalBuilder extends ArrayBuilder {
    private final TemporalEncoder encoder;
    private final long min;
    private final long max;
    private final long multiple;
    private final StagedValues values;

    TemporalBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.values = new StagedValues(field.type(), memory);
        boolean narrow = values.width() == 4;
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
    public long getLength() {
        return values.length();
    }

    @Override
    public void append(long value) {
        if (value < min || value > max) {
            throw place.unfit(Long.toString(value));
        }
        if (multiple != 1 && value % multiple != 0) {
            throw place.fail(value + " ms are no whole number of days");
        }
        values.add(value);
    }

    @Override
    public void appendAll(int[] source, boolean @Nullable [] valid) {
        if (min == Integer.MIN_VALUE && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
        } else {
            super.appendAll(source, valid);
        }
    }

    @Override
    public void appendAll(long[] source, boolean @Nullable [] valid) {
        if (min == Long.MIN_VALUE && multiple == 1 && Bulk.isCopy(place, source.length, valid)) {
            FixedValues all = values.inMemory();
            all.roomFor(source.length).put(all.end(), source, 0, source.length);
            all.added(source.length, valid);
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
            throw place.fail(String.valueOf(e.getMessage()));
        } catch (ArithmeticException e) {
            throw place.unfit(value.toString());
        }
        if (raw == null) {
            return false;
        }
        append((long) raw);
        return true;
    }

    @Override
    void putNull() {
        values.addNull();
    }

    @Override
    void putEmpty() {
        values.add(0);
    }

    @Override
    void makeRoom(long elements) {
        values.reserve(elements);
    }

    @Override
    ArrayData build() {
        return data(values.nullCount(), values.finish());
    }

    @Override
    void reset() {
        values.reset();
    }
}
