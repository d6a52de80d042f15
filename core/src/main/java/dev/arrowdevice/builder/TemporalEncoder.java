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
 * Makes the raw number of a temporal value. It is null if the class does not fit. Throws {@link ArithmeticException} if
 * the value is out of range, and the error of the place if it is finer than the unit and the place does not truncate.
 */
interface TemporalEncoder {
    long SECONDS_PER_DAY = 86_400;
    long MILLIS_PER_DAY = SECONDS_PER_DAY * 1000;

    @Nullable
    Long encode(Object value, Place place);

    static TemporalEncoder date32() {
        return (value, place) ->
                value instanceof LocalDate date ? Long.valueOf(Math.toIntExact(date.toEpochDay())) : null;
    }

    static TemporalEncoder date64() {
        return (value, place) -> value instanceof LocalDate date
                ? Long.valueOf(Math.multiplyExact(date.toEpochDay(), MILLIS_PER_DAY))
                : null;
    }

    static TemporalEncoder time(TimeUnit unit) {
        UnitCount count = new UnitCount("time", unit, true);
        return (value, place) -> value instanceof LocalTime time
                ? Long.valueOf(count.of(time.toSecondOfDay(), time.getNano(), value, place))
                : null;
    }

    static TemporalEncoder duration(TimeUnit unit) {
        UnitCount count = new UnitCount("duration", unit, false);
        return (value, place) -> value instanceof Duration duration
                ? Long.valueOf(count.of(duration.getSeconds(), duration.getNano(), value, place))
                : null;
    }

    /** For instants: a type with a time zone. */
    static TemporalEncoder instant(TimeUnit unit) {
        UnitCount count = new UnitCount("timestamp", unit, true);
        return (value, place) -> {
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
            return count.of(instant.getEpochSecond(), instant.getNano(), value, place);
        };
    }

    /** For local times: a type without a time zone. */
    static TemporalEncoder wallClock(TimeUnit unit) {
        UnitCount count = new UnitCount("timestamp", unit, true);
        return (value, place) -> value instanceof LocalDateTime time
                ? Long.valueOf(count.of(time.toEpochSecond(ZoneOffset.UTC), time.getNano(), value, place))
                : null;
    }

    static TemporalEncoder months() {
        return (value, place) -> {
            if (!(value instanceof Period period)) {
                return null;
            }
            if (period.getDays() != 0) {
                throw place.fail(period + " has days; ArrowType.INTERVAL_MONTH_DAY_NANO keeps them");
            }
            return (long) Math.toIntExact(period.toTotalMonths());
        };
    }
}
