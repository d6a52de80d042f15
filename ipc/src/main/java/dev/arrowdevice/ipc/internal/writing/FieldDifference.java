package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.Field;
import java.util.List;
import java.util.Objects;

/** Says in which field a batch differs from the stream, and in what. */
final class FieldDifference {
    private FieldDifference() {}

    /** The first difference of two lists of fields that are not equal, as a sentence without its end. */
    static String of(List<Field> batch, List<Field> stream) {
        if (batch.size() != stream.size()) {
            return "a batch of " + batch.size() + " columns in a stream of " + stream.size() + ": " + batch + " and "
                    + stream;
        }
        return "a batch in a stream of another schema: " + inner(batch, stream);
    }

    private static String inner(List<Field> batch, List<Field> stream) {
        for (int i = 0; i < batch.size(); i++) {
            if (!batch.get(i).equals(stream.get(i))) {
                return of(i, batch.get(i), stream.get(i));
            }
        }
        throw new IllegalArgumentException("equal fields");
    }

    private static String of(int index, Field batch, Field stream) {
        String field = "field " + index + ", \"" + stream.name() + "\"";
        if (!batch.name().equals(stream.name())) {
            return field + ", is named \"" + batch.name() + "\" in the batch";
        }
        if (!batch.metadata().equals(stream.metadata())) {
            return field + ", has the metadata " + batch.metadata() + " in the batch and " + stream.metadata()
                    + " in the stream";
        }
        if (batch.nullable() != stream.nullable()) {
            return field + ", is " + (batch.nullable() ? "" : "not ") + "nullable in the batch and "
                    + (stream.nullable() ? "" : "not ") + "nullable in the stream";
        }
        List<Field> left = batch.children();
        List<Field> right = stream.children();
        boolean within = batch.type().id() == stream.type().id()
                && Objects.equals(batch.type().toString(), stream.type().toString())
                && left.size() == right.size()
                && !left.equals(right);
        return within
                ? field + " > " + inner(left, right)
                : field + ", has type " + batch.type() + " in the batch and " + stream.type() + " in the stream";
    }
}
