package dev.arrowdevice.internal.type;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Quotes names and types in messages. A foreign schema may have names of a megabyte and types of a million fields, so
 * whatever is long is cut.
 */
public final class Brief {
    /** The largest number of characters of a quoted text. */
    private static final int MAX_TEXT = 100;
    /** The largest number of characters of a type. */
    private static final int MAX_TYPE = 1_000;
    /** Fewer characters than the shortest type has with its separators. */
    private static final int LEAST_TYPE = 6;

    private Brief() {}

    /** The text, or its beginning and its length. */
    public static String text(@Nullable Object value) {
        return cut(String.valueOf(value), MAX_TEXT);
    }

    /** {@link #text} in quotes. */
    public static String quoted(String text) {
        return '"' + text(text) + '"';
    }

    /** The type, or if that is long its kind alone, as in {@code struct<…>}. */
    public static String type(ArrowType type) {
        // A long text must not be made before it is cut.
        return rest(type, MAX_TYPE) >= 0
                ? cut(type.toString(), MAX_TYPE)
                : type.id().name().toLowerCase(Locale.ROOT) + "<…>";
    }

    /** The names of fields, up to a total length. */
    public static String names(List<Field> fields) {
        StringBuilder names = new StringBuilder();
        for (Field field : fields) {
            if (names.length() > MAX_TYPE) {
                return names.append(", … (")
                        .append(fields.size())
                        .append(" names)")
                        .toString();
            }
            names.append(names.length() == 0 ? "" : ", ").append(text(field.name()));
        }
        return names.toString();
    }

    /** What is left of a number of characters after a type; below zero if the type is longer. */
    private static int rest(ArrowType type, int characters) {
        int left = characters - LEAST_TYPE;
        if (type instanceof ExtensionType) {
            return left;
        }
        if (type instanceof DictionaryType dictionary) {
            return left < 0 ? left : rest(dictionary.valueType(), left);
        }
        for (Field field : type.children()) {
            left -= Math.min(field.name().length(), MAX_TYPE);
            if (left < 0) {
                return left;
            }
            left = rest(field.type(), left);
        }
        return left;
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "… (" + text.length() + " characters)";
    }
}
