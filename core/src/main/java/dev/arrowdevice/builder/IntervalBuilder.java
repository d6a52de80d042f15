package dev.arrowdevice.builder;

import dev.arrowdevice.DayTimeInterval;
import dev.arrowdevice.Field;
import dev.arrowdevice.MonthDayNanoInterval;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/** Builds the intervals of several numbers: of days and milliseconds, and of months, days and nanoseconds. */
final class IntervalBuilder extends ArrayBuilder {
    private final boolean hasMonths;
    private final FixedValues values;

    IntervalBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.hasMonths = field.type().storageType().id() == TypeId.INTERVAL_MONTH_DAY_NANO;
        this.values = new FixedValues(field.type(), memory);
    }

    @Override
    public long getLength() {
        return values.length();
    }

    @Override
    boolean appendValue(Object value) {
        if (hasMonths && value instanceof MonthDayNanoInterval interval) {
            put(interval.months(), interval.days(), interval.nanoseconds());
        } else if (hasMonths && value instanceof Period period) {
            long months = period.toTotalMonths();
            if (months != (int) months) {
                throw place.unfit(period.toString());
            }
            put((int) months, period.getDays(), 0);
        } else if (!hasMonths && value instanceof DayTimeInterval interval) {
            put(interval.days(), interval.milliseconds());
        } else if (!hasMonths && value instanceof Period period && period.toTotalMonths() == 0) {
            put(period.getDays(), 0);
        } else {
            return false;
        }
        return true;
    }

    private void put(int days, int milliseconds) {
        HostMemory target = values.roomFor(1);
        long at = values.end();
        target.putInt(at, days);
        target.putInt(at + 4, milliseconds);
        values.added(1);
    }

    private void put(int months, int days, long nanoseconds) {
        HostMemory target = values.roomFor(1);
        long at = values.end();
        target.putInt(at, months);
        target.putInt(at + 4, days);
        target.putLong(at + 8, nanoseconds);
        values.added(1);
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        if (!(value instanceof Period period)) {
            return hasMonths
                    ? value instanceof MonthDayNanoInterval ? value : null
                    : value instanceof DayTimeInterval ? value : null;
        }
        long months = period.toTotalMonths();
        if (hasMonths) {
            return months == (int) months ? new MonthDayNanoInterval((int) months, period.getDays(), 0) : null;
        }
        return months == 0 ? new DayTimeInterval(period.getDays(), 0) : null;
    }

    @Override
    void putNull() {
        values.addNull();
    }

    @Override
    void putEmpty() {
        values.addZero();
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
