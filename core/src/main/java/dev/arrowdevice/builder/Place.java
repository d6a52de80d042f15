package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.TimestampType;
import org.jspecify.annotations.Nullable;

/** The place of a builder in its tree. From it, error messages take the column and the row. */
final class Place {
    private final Field field;
    private final ArrayBuilder builder;
    private final @Nullable ArrayBuilder parent;

    /** @param field the field that the builder was made for; fields that are added later don't show in messages */
    Place(Field field, ArrayBuilder builder, @Nullable ArrayBuilder parent) {
        this.field = field;
        this.builder = builder;
        this.parent = parent;
    }

    Field field() {
        return field;
    }

    ArrowType type() {
        return builder.getType();
    }

    /** Whether this builder, or one above it, truncates times. */
    boolean truncatesTimes() {
        return builder.truncatesTimes || (parent != null && parent.place.truncatesTimes());
    }

    boolean isNullable() {
        return field.nullable();
    }

    @Nullable
    ArrayBuilder parent() {
        return parent;
    }

    /**
     * Closes the whole tree after an append that failed half-way. Some builders have their part of the value and others
     * have not, so later values would be in wrong rows.
     */
    void closeHalfway(Throwable failure) {
        if (parent != null) {
            parent.place.closeHalfway(failure);
        } else {
            builder.memory.failedHalfway(failure);
            builder.close();
        }
    }

    /** The error of a call that only the root takes. */
    IllegalStateException isChild(String operation) {
        ArrowType type = parent == null ? builder.getType() : parent.getType();
        return new IllegalStateException(
                operation + ": this builder belongs to that of " + type + ", which finishes and closes it");
    }

    /** The name of the column, starting at the root. Empty if it has none. */
    String path() {
        return parent == null ? field.name() : parent.pathOf(builder);
    }

    /** The path of a child that has a name. */
    String pathOf(String child) {
        String path = path();
        return path.isEmpty() ? child : path + "." + child;
    }

    /** The row of the root that an element belongs to. */
    long rowOf(long index) {
        return parent == null ? index : parent.place.rowOf(parent.indexOf(builder, index));
    }

    /** The start of a message: the column and a text. */
    String at(String place) {
        String path = path();
        if (path.isEmpty()) {
            return place.isEmpty() ? "" : place + ": ";
        }
        return "column \"" + path + "\"" + (place.isEmpty() ? ": " : ", " + place + ": ");
    }

    /** The error of the value that should be appended. */
    IllegalArgumentException fail(String what) {
        return new IllegalArgumentException(at("row " + rowOf(builder.getLength())) + what);
    }

    void requireNullable() {
        if (!field.nullable()) {
            throw fail("a null in a field that is not nullable");
        }
    }

    /** The error of a value that the type does not take. */
    IllegalArgumentException unfit(String what) {
        return unfit(what, "");
    }

    private IllegalArgumentException unfit(String what, String advice) {
        return fail(what + " does not fit " + builder.getType() + advice);
    }

    /** The error of a value of a class that the type does not take. */
    IllegalArgumentException unfitClass(Class<?> given) {
        String taken = classesFor(type().storageType());
        return unfit("a " + given.getName(), taken.isEmpty() ? "" : ", which takes " + taken);
    }

    /** The classes that are worth a word: of types that are taken for each other, and that have no getter of their own. */
    private static String classesFor(ArrowType type) {
        return switch (type.id()) {
            case DATE32, DATE64 -> "LocalDate";
            case TIME32, TIME64 -> "LocalTime";
            case TIMESTAMP ->
                ((TimestampType) type).timezone() == null
                        ? "LocalDateTime; with a time zone it would take Instant"
                        : "Instant, OffsetDateTime or ZonedDateTime; without a time zone it would take LocalDateTime";
            case DURATION -> "Duration";
            case DECIMAL32, DECIMAL64, DECIMAL128, DECIMAL256 -> "BigDecimal or BigInteger";
            default -> "";
        };
    }

    /** An integer that is at most 2⁶³ - 1, given as the bits of a long. */
    long requireSigned(long bits) {
        if (bits < 0) {
            throw unfit(Long.toUnsignedString(bits));
        }
        return bits;
    }
}
