package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.internal.type.TextBytes;
import dev.arrowdevice.spi.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A moment, counted from 1970-01-01T00:00:00 in 64 bits. With a time zone the count is from that moment in UTC, and the
 * zone says how to show the value. Without a zone, the value is the reading of a wall clock at no particular place.
 *
 * @param unit the unit of the count
 * @param timezone a name of the IANA database or an offset like {@code +02:00}, kept unchanged and not checked; null =
 *     none. The empty string becomes null, because the C data interface writes "no zone" that way
 */
public record TimestampType(TimeUnit unit, @Nullable String timezone) implements ArrowType {
    public TimestampType {
        if (timezone != null) {
            TextBytes.requireForC("time zone", timezone);
        }
        if (timezone != null && timezone.isEmpty()) {
            timezone = null;
        }
    }

    @Override
    public TypeId id() {
        return TypeId.TIMESTAMP;
    }

    @Override
    public List<Field> children() {
        return List.of();
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return Layouts.BITS64;
    }

    @Override
    public String toString() {
        return "timestamp[" + unit.symbol() + (timezone == null ? "]" : ", tz=" + timezone + "]");
    }
}
