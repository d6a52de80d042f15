package dev.arrowdevice.builder;

import dev.arrowdevice.DayTimeInterval;
import dev.arrowdevice.Field;
import dev.arrowdevice.MonthDayNanoInterval;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/** Builders of the intervals that consist of several numbers. */
final class IntervalBuilders {
    private IntervalBuilders() {}

    static final class DayTime extends FixedWidthBuilder {
        DayTime(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent);
        }

        @Override
        boolean appendValue(Object value) {
            if (value instanceof DayTimeInterval interval) {
                put(interval.days(), interval.milliseconds());
            } else if (value instanceof Period period && period.toTotalMonths() == 0) {
                put(period.getDays(), 0);
            } else {
                return false;
            }
            return true;
        }

        private void put(int days, int milliseconds) {
            long at = nextIndex();
            values.putInt(at << 3, days);
            values.putInt((at << 3) + 4, milliseconds);
            length = at + 1;
        }
    }

    static final class MonthDayNano extends FixedWidthBuilder {
        MonthDayNano(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent);
        }

        @Override
        boolean appendValue(Object value) {
            if (value instanceof MonthDayNanoInterval interval) {
                put(interval.months(), interval.days(), interval.nanoseconds());
            } else if (value instanceof Period period) {
                long months = period.toTotalMonths();
                if (months != (int) months) {
                    throw unfit(period.toString());
                }
                put((int) months, period.getDays(), 0);
            } else {
                return false;
            }
            return true;
        }

        private void put(int months, int days, long nanoseconds) {
            long at = nextIndex();
            values.putInt(at << 4, months);
            values.putInt((at << 4) + 4, days);
            values.putLong((at << 4) + 8, nanoseconds);
            length = at + 1;
        }
    }
}
