package dev.arrowdevice.peers;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema for the C peer, by format string; deliberately not made from the SDK's own types. Nullable unless told
 * otherwise. Its text, which is what {@link CPeer#renderSchema} returns, has one line per schema, parents first:
 * {@code <depth> <flags> <format>|<name>|<metadata in hexadecimal>}.
 *
 * @param format format string of the C data interface
 * @param name null: a NULL pointer
 * @param flags as in {@code ArrowSchema.flags}
 * @param metadata encoded as in {@code ArrowSchema.metadata}, in hexadecimal; empty: a NULL pointer
 * @param children schemas of the children
 * @param dictionary schema of the dictionary's values, for an index type
 */
public record PeerField(
        String format,
        @Nullable String name,
        long flags,
        String metadata,
        List<PeerField> children,
        @Nullable PeerField dictionary) {
    private static final long ORDERED = 1;
    private static final long NULLABLE = 2;
    private static final long KEYS_SORTED = 4;

    /** Copies the list of children. */
    public PeerField {
        children = List.copyOf(children);
    }

    /**
     * A nullable field.
     *
     * @param name its name
     * @param format its format string
     * @param children its children
     */
    public static PeerField of(String name, String format, PeerField... children) {
        return new PeerField(format, name, NULLABLE, "", List.of(children), null);
    }

    /**
     * A record batch: a struct that isn't nullable, without a name.
     *
     * @param columns its columns
     */
    public static PeerField batch(PeerField... columns) {
        return of("", "+s", columns).notNull();
    }

    /**
     * A map field with a key that isn't nullable.
     *
     * @param name its name
     * @param key field of the keys
     * @param value field of the values
     */
    public static PeerField map(String name, PeerField key, PeerField value) {
        return of(name, "+m", of("entries", "+s", key.notNull(), value).notNull());
    }

    /** The same, not nullable. */
    public PeerField notNull() {
        return withFlags(flags & ~NULLABLE);
    }

    /** The same with the flag of an ordered dictionary. */
    public PeerField ordered() {
        return withFlags(flags | ORDERED);
    }

    /** The same with the flag of sorted map keys. */
    public PeerField keysSorted() {
        return withFlags(flags | KEYS_SORTED);
    }

    /**
     * The same with other flags.
     *
     * @param value of {@code ArrowSchema.flags}
     */
    public PeerField withFlags(long value) {
        return new PeerField(format, name, value, metadata, children, dictionary);
    }

    /**
     * The same with another name.
     *
     * @param value null: a NULL pointer
     */
    public PeerField named(@Nullable String value) {
        return new PeerField(format, value, flags, metadata, children, dictionary);
    }

    /**
     * The same as an index into a dictionary.
     *
     * @param values field of the dictionary's values
     */
    public PeerField withDictionary(PeerField values) {
        return new PeerField(format, name, flags, metadata, children, values);
    }

    /**
     * The same with metadata, in the given order, duplicates kept.
     *
     * @param keysAndValues keys and values in turn
     */
    public PeerField withMetadata(String... keysAndValues) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(int32(keysAndValues.length / 2));
        for (String part : keysAndValues) {
            byte[] encoded = part.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(int32(encoded.length));
            bytes.writeBytes(encoded);
        }
        return withEncodedMetadata(bytes.toByteArray());
    }

    /**
     * The same with these bytes as metadata, right or wrong.
     *
     * @param bytes what {@code ArrowSchema.metadata} points to
     */
    public PeerField withEncodedMetadata(byte[] bytes) {
        return new PeerField(format, name, flags, HexFormat.of().formatHex(bytes), children, dictionary);
    }

    /** The text that the C peer reads. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        // Schemas nest to any depth, so the way down is a list, not the call stack.
        List<Pending> pending = new ArrayList<>(List.of(new Pending(this, 0, false)));
        while (!pending.isEmpty()) {
            Pending next = pending.remove(pending.size() - 1);
            next.field.appendLine(text, next);
            if (next.field.dictionary != null) {
                pending.add(new Pending(next.field.dictionary, next.depth + 1, true));
            }
            for (int i = next.field.children.size() - 1; i >= 0; i--) {
                pending.add(new Pending(next.field.children.get(i), next.depth + 1, false));
            }
        }
        return text.toString();
    }

    private record Pending(PeerField field, int depth, boolean isDictionary) {}

    private void appendLine(StringBuilder text, Pending place) {
        text.append(place.depth)
                .append(place.isDictionary ? "d " : " ")
                .append(flags)
                .append(' ');
        text.append(escape(format))
                .append('|')
                .append(name == null ? "~" : escape(name))
                .append('|');
        text.append(metadata).append('\n');
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("|", "\\p").replace("\n", "\\n");
    }

    private static byte[] int32(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .array();
    }
}
