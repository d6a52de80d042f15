package dev.arrowdevice.interop;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of a {@code descr}, which describes elements that consist of parts: {@code (name, type)} or
 * {@code (name, type, shape)}. Padding is a field without a name.
 *
 * @param name the name, possibly empty
 * @param title the full name where Python has the pair {@code (title, name)}, else null
 * @param type the type of a simple field; null for one that has fields of its own
 * @param fields the fields within this one; empty for a simple field
 * @param shape how often the type repeats in each dimension; empty: once
 */
record DescrField(
        String name, @Nullable String title, @Nullable TypeString type, List<DescrField> fields, List<Long> shape) {
    private static final int MAX_DEPTH = 64;

    /**
     * Checks that the field is either simple or has fields, and no negative size in its shape.
     *
     * @throws IllegalArgumentException if that is not so
     */
    DescrField {
        fields = List.copyOf(fields);
        shape = List.copyOf(shape);
        if ((type == null) == fields.isEmpty()) {
            throw new IllegalArgumentException(
                    "descr: the field \"" + name + "\" needs either a type or fields of its own");
        }
        for (long size : shape) {
            if (size < 0) {
                throw new IllegalArgumentException(
                        "descr: the field \"" + name + "\" has the shape " + shape + ", with a negative size");
            }
        }
    }

    /** A simple field. */
    static DescrField of(String name, TypeString type) {
        return new DescrField(name, null, type, List.of(), List.of());
    }

    /**
     * Reads a {@code descr} as Python passes it: a list of tuples.
     *
     * @throws IllegalArgumentException if it is none; the message names the position, such as {@code descr[1][2]}
     */
    static List<DescrField> parse(Object descr) {
        return parse("descr", descr, 0);
    }

    private static List<DescrField> parse(String place, Object descr, int depth) {
        if (depth == MAX_DEPTH) {
            throw new IllegalArgumentException(place + ": more than " + MAX_DEPTH + " levels");
        }
        List<DescrField> fields = new ArrayList<>();
        for (Object field : PythonValues.sequence(place, descr)) {
            fields.add(field(place + "[" + fields.size() + "]", field, depth));
        }
        if (fields.isEmpty()) {
            throw new IllegalArgumentException(place + " is empty");
        }
        return List.copyOf(fields);
    }

    private static DescrField field(String place, @Nullable Object value, int depth) {
        List<?> parts = PythonValues.sequence(place, value);
        if (parts.size() != 2 && parts.size() != 3) {
            throw new IllegalArgumentException(
                    place + " has " + parts.size() + " parts, not 2 or 3: name, type and shape");
        }
        Object names = parts.get(0);
        String title = null;
        if (!(names instanceof String)) {
            List<?> both = PythonValues.sequence(place + "[0]", names);
            if (both.size() != 2) {
                throw new IllegalArgumentException(place + "[0] has " + both.size() + " names, not 2");
            }
            title = PythonValues.string(place + "[0][0]", both.get(0));
            names = both.get(1);
        }
        String name = PythonValues.string(place + "[0]", names);
        List<Long> shape = parts.size() == 2 ? List.of() : PythonValues.shape(place + "[2]", parts.get(2));
        Object type = parts.get(1);
        if (type instanceof String text) {
            try {
                return new DescrField(name, title, TypeString.parse(text), List.of(), shape);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(place + "[1]: " + e.getMessage(), e);
            }
        }
        if (type == null) {
            throw PythonValues.wrong(place + "[1]", "a typestr or a list of fields", null);
        }
        return new DescrField(name, title, null, parse(place + "[1]", type, depth + 1), shape);
    }

    /** The {@code descr} of fields as Python has it, of lists and strings. */
    static List<Object> toPython(List<DescrField> fields) {
        List<Object> result = new ArrayList<>();
        for (DescrField field : fields) {
            Object name = field.title == null ? field.name : List.of(field.title, field.name);
            Object type = field.type == null ? toPython(field.fields) : field.type.toString();
            result.add(field.shape.isEmpty() ? List.of(name, type) : List.of(name, type, field.shape));
        }
        return List.copyOf(result);
    }

    /**
     * The bytes that fields take up together.
     *
     * @throws IllegalArgumentException if that is more than 64 bits can say
     */
    static long itemSize(List<DescrField> fields) {
        long sum = 0;
        try {
            for (DescrField field : fields) {
                long size = field.type == null ? itemSize(field.fields) : field.type.itemSize();
                for (long dimension : field.shape) {
                    size = Math.multiplyExact(size, dimension);
                }
                sum = Math.addExact(sum, size);
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("descr: the fields are too large for 64 bits", e);
        }
        return sum;
    }

    /** Whether fields say no more than a type string does: one without a name, of that type. */
    static boolean isTrivial(List<DescrField> fields, TypeString type) {
        DescrField first = fields.get(0);
        return fields.size() == 1 && first.name.isEmpty() && first.shape.isEmpty() && type.equals(first.type);
    }

    /** A {@code descr} of lists and strings, checked against the type string that comes with it; empty for an empty one. */
    static List<?> normalized(List<?> descr, TypeString type) {
        if (descr.isEmpty()) {
            return List.of();
        }
        List<DescrField> fields = parse(descr);
        check(fields, type);
        return toPython(fields);
    }

    /** A {@code descr} that is there, as a list. */
    static List<?> listed(Object descr) {
        return toPython(parse(descr));
    }

    /** Checks a {@code descr} against the type string that comes with it. */
    static void check(List<DescrField> fields, TypeString type) {
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("descr is empty");
        }
        long size = itemSize(fields);
        if (size != type.itemSize()) {
            throw new IllegalArgumentException(
                    "descr has " + size + " bytes an element, typestr \"" + type + "\" has " + type.itemSize());
        }
    }
}
