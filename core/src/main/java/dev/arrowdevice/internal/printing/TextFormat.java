package dev.arrowdevice.internal.printing;

import dev.arrowdevice.ArrayReader;
import dev.arrowdevice.ArrayView;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.internal.reading.Preview;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.DeviceEvent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints arrays and values. */
public final class TextFormat {
    private static final int MAX_VALUES = 10;
    private static final int MAX_ELEMENTS = 20;
    private static final int MAX_NESTED = 1_000;
    private static final int MAX_CHARACTERS = 100_000;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private TextFormat() {}

    /** One line: type, length and the first values, or why they can't be shown. */
    public static String array(ArrayView array) {
        StringBuilder text = new StringBuilder();
        text.append(Brief.type(array.getType()))
                .append('[')
                .append(array.getLength())
                .append("] ");
        String obstacle = obstacle(array);
        if (obstacle != null) {
            return text.append('<').append(obstacle).append('>').toString();
        }
        try {
            long shown = Math.min(array.getLength(), MAX_VALUES);
            Preview budget = preview();
            array.<@Nullable Void>borrow(reader -> {
                text.append('[');
                for (long i = 0; i < shown; i++) {
                    text.append(i == 0 ? "" : ", ");
                    value(text, safeObject(reader, i, budget));
                }
                text.append(shown < array.getLength() ? ", …]" : "]");
                return null;
            });
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            text.append('<').append(e.getMessage()).append('>');
        }
        return text.toString();
    }

    /** The reason why the values of an array can't be shown, or null if they can. */
    public static @Nullable String obstacle(ArrayView array) {
        if (!array.isLive()) {
            return Owners.state(array).describe();
        }
        if (!array.getData().isHostReadable()) {
            return "on " + array.getDevice() + "; copyTo(Device.CPU) to read";
        }
        DeviceEvent ready = array.getReadyEvent();
        try {
            return ready != null && !ready.isComplete() ? "not ready yet" : null;
        } catch (IllegalStateException e) {
            return e.getMessage(); // The work that makes the values has failed.
        }
    }

    /** The limits of one text. */
    public static Preview preview() {
        return new Preview(MAX_ELEMENTS, MAX_NESTED, MAX_CHARACTERS);
    }

    /** A value, or a description of what is wrong with malformed foreign data. */
    public static @Nullable Object safeObject(ArrayReader reader, long index, Preview budget) {
        try {
            return ((ValueReader) reader).preview(index, budget);
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return "<" + e.getMessage() + ">";
        }
    }

    public static void value(StringBuilder text, @Nullable Object value) {
        if (value instanceof byte[]) {
            bytes(text, (byte[]) value, ((byte[]) value).length);
        } else if (value instanceof Preview.Bytes cut) {
            bytes(text, cut.beginning(), cut.size());
        } else if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            value(text, entry.getKey());
            text.append(" → ");
            value(text, entry.getValue());
        } else if (value instanceof List) {
            text.append('[');
            int shown = 0;
            for (Object element : (List<?>) value) {
                text.append(shown++ == 0 ? "" : ", ");
                value(text, element);
            }
            text.append(']');
        } else if (value instanceof Map) {
            text.append('{');
            int shown = 0;
            for (Map.Entry<?, ?> field : ((Map<?, ?>) value).entrySet()) {
                text.append(shown++ == 0 ? "" : ", ")
                        .append(Brief.text(field.getKey()))
                        .append(": ");
                value(text, field.getValue());
            }
            text.append('}');
        } else {
            text.append(value);
        }
    }

    /** The beginning of a value of a number of bytes. */
    private static void bytes(StringBuilder text, byte[] bytes, long size) {
        text.append("0x");
        for (int i = 0; i < bytes.length; i++) {
            if (i == MAX_ELEMENTS) {
                text.append("… (").append(size).append(" bytes)");
                return;
            }
            text.append(HEX[bytes[i] >> 4 & 0xF]).append(HEX[bytes[i] & 0xF]);
        }
    }
}
