package dev.arrowdevice.builder;

import dev.arrowdevice.TimeUnit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Makes the raw number of a temporal value. It is null if the class does not fit. Throws {@link Inexact} if the value is
 * finer than the unit, {@link ArithmeticException} if it is out of range.
 */
interface TemporalEncoder {
    long SECONDS_PER_DAY = 86_400;
    long MILLIS_PER_DAY = SECONDS_PER_DAY * 1000;

    @Nullable
    Long encode(Object value);

    /** A value finer than the unit of the type. */
    final class Inexact extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Inexact(String message) {
            super(message, null, false, false);
        }
    }

    static TemporalEncoder date32() {
        return value -> value instanceof LocalDate date ? Long.valueOf(Math.toIntExact(date.toEpochDay())) : null;
    }

    static TemporalEncoder date64() {
        return value -> value instanceof LocalDate date
                ? Long.valueOf(Math.multiplyExact(date.toEpochDay(), MILLIS_PER_DAY))
                : null;
    }

    static TemporalEncoder time(TimeUnit unit) {
        long nanosPerUnit = nanosPerUnit(unit);
        return value -> {
            if (!(value instanceof LocalTime time)) {
                return null;
            }
            return exactUnits(time.toNanoOfDay(), nanosPerUnit, unit, value);
        };
    }

    static TemporalEncoder duration(TimeUnit unit) {
        return value -> value instanceof Duration duration
                ? Long.valueOf(count(duration.getSeconds(), duration.getNano(), unit, value))
                : null;
    }

    /** For instants: a type with a time zone. */
    static TemporalEncoder instant(TimeUnit unit) {
        return value -> {
            Instant instant;
            if (value instanceof Instant given) {
                instant = given;
            } else if (value instanceof OffsetDateTime given) {
                instant = given.toInstant();
            } else if (value instanceof ZonedDateTime given) {
                instant = given.toInstant();
            } else {
                return null;
            }
            return count(instant.getEpochSecond(), instant.getNano(), unit, value);
        };
    }

    /** For local times: a type without a time zone. */
    static TemporalEncoder wallClock(TimeUnit unit) {
        return value -> value instanceof LocalDateTime time
                ? Long.valueOf(count(time.toEpochSecond(ZoneOffset.UTC), time.getNano(), unit, value))
                : null;
    }

    static TemporalEncoder months() {
        return value -> {
            if (!(value instanceof Period period)) {
                return null;
            }
            if (period.getDays() != 0) {
                throw new Inexact(period + " has days, which this type does not keep");
            }
            return (long) Math.toIntExact(period.toTotalMonths());
        };
    }

    private static long nanosPerUnit(TimeUnit unit) {
        return 1_000_000_000L / unit.perSecond();
    }

    private static long count(long seconds, int nanos, TimeUnit unit, Object value) {
        // A negative count starts at the next second, so that it does not overflow while it is in range.
        boolean borrow = seconds < 0 && nanos > 0;
        long wholeSeconds = borrow ? seconds + 1 : seconds;
        long rest = borrow ? nanos - 1_000_000_000L : nanos;
        return Math.addExact(
                Math.multiplyExact(wholeSeconds, unit.perSecond()), exactUnits(rest, nanosPerUnit(unit), unit, value));
    }

    private static long exactUnits(long nanos, long nanosPerUnit, TimeUnit unit, Object value) {
        if (nanos % nanosPerUnit != 0) {
            throw new Inexact(
                    value + " is finer than the unit " + unit.symbol() + "; truncate it, or choose a finer unit");
        }
        return nanos / nanosPerUnit;
    }
}
