package dev.arrowdevice.builder;

import dev.arrowdevice.TimeUnit;

/** Counts the units of a time that is given as seconds and nanoseconds, as {@code java.time} has it. */
final class UnitCount {
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final String function;
    private final TimeUnit unit;
    private final boolean floors;
    private final int nanosPerUnit;

    /**
     * @param function the name of the function that makes the type, for messages
     * @param floors whether a negative time is truncated to the unit before it, as {@code java.time} truncates points in
     *     time, or towards zero, as it truncates durations
     */
    UnitCount(String function, TimeUnit unit, boolean floors) {
        this.function = function;
        this.unit = unit;
        this.floors = floors;
        this.nanosPerUnit = nanosPer(unit);
    }

    /**
     * The number of units.
     *
     * @param nanos from 0 to 999,999,999, after the second
     * @throws IllegalArgumentException if the time is out of range, or finer than the unit and the place does not truncate
     */
    long of(long seconds, int nanos, Object value, Place place) {
        if (nanos % nanosPerUnit != 0 && !place.truncatesTimes()) {
            throw place.fail(value + " is finer than the unit " + unit.symbol() + "; use " + finer(seconds, nanos)
                    + "truncate = true (truncateTimes() of the builder)");
        }
        try {
            return count(seconds, nanos, unit);
        } catch (ArithmeticException e) {
            throw place.fail(value + " does not fit " + place.type() + "; it fits " + write(coarser(seconds, nanos)));
        }
    }

    private long count(long seconds, int nanos, TimeUnit unit) {
        // A negative count starts at the next second, so that it does not overflow while it is in range.
        boolean borrow = seconds < 0 && nanos > 0;
        long wholeSeconds = borrow ? seconds + 1 : seconds;
        int rest = borrow ? nanos - NANOS_PER_SECOND : nanos;
        int units = floors ? Math.floorDiv(rest, nanosPer(unit)) : rest / nanosPer(unit);
        return Math.addExact(Math.multiplyExact(wholeSeconds, unit.perSecond()), units);
    }

    /** The advice to use the coarsest unit that keeps all of a time. Empty if that has no room for it. */
    private String finer(long seconds, int nanos) {
        for (TimeUnit finer : TimeUnit.values()) {
            if (nanos % nanosPer(finer) == 0) {
                return fits(seconds, nanos, finer) ? write(finer) + ", or " : "";
            }
        }
        throw new AssertionError(nanos);
    }

    /** The finest unit that has room for a time. Seconds have room for any. */
    private TimeUnit coarser(long seconds, int nanos) {
        TimeUnit[] units = TimeUnit.values();
        int i = unit.ordinal();
        while (!fits(seconds, nanos, units[i])) {
            i--;
        }
        return units[i];
    }

    private boolean fits(long seconds, int nanos, TimeUnit other) {
        try {
            count(seconds, nanos, other);
            return true;
        } catch (ArithmeticException e) {
            return false;
        }
    }

    private String write(TimeUnit other) {
        return function + "(…, unit = " + other + ")";
    }

    private static int nanosPer(TimeUnit unit) {
        return (int) (NANOS_PER_SECOND / unit.perSecond());
    }
}
