package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.MetadataCodec;
import dev.arrowdevice.internal.type.TextBytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of a field or schema: a list, not a map. Order and repeated keys are kept. Keys and values are kept
 * as bytes, because they are "not null-terminated" and may be anything. Two are equal if all entries are equal, in
 * order.
 */
public final class Metadata {
    /** No entries. */
    public static final Metadata EMPTY = new Metadata(new byte[0][]);

    /** Key, value, key, value, … */
    private final byte[][] bytes;

    /** Keeps the arrays without a copy. */
    private Metadata(byte[][] bytes) {
        this.bytes = bytes;
    }

    /**
     * Metadata of text.
     *
     * @param keysAndValues key, value, key, value, …
     * @throws IllegalArgumentException when the last key has no value, or a text has half of a surrogate pair
     */
    public static Metadata of(String... keysAndValues) {
        byte[][] bytes = new byte[keysAndValues.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = TextBytes.utf8("metadata", keysAndValues[i]);
        }
        return ofPairs(bytes);
    }

    /**
     * Metadata of bytes, which are copied. By convention keys are UTF-8.
     *
     * @param keysAndValues key, value, key, value, …
     * @throws IllegalArgumentException when the last key has no value
     */
    public static Metadata ofBytes(byte[]... keysAndValues) {
        byte[][] bytes = new byte[keysAndValues.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = keysAndValues[i].clone();
        }
        return ofPairs(bytes);
    }

    private static Metadata ofPairs(byte[][] bytes) {
        if (bytes.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "the last key has no value: " + Brief.text(text(bytes[bytes.length - 1])));
        }
        return bytes.length == 0 ? EMPTY : new Metadata(bytes);
    }

    /** The entries as text, in order. Bytes that are not UTF-8 become U+FFFD. */
    public List<Map.Entry<String, String>> getEntries() {
        List<Map.Entry<String, String>> entries = new ArrayList<>(getSize());
        for (int i = 0; i < bytes.length; i += 2) {
            entries.add(Map.entry(text(bytes[i]), text(bytes[i + 1])));
        }
        return List.copyOf(entries);
    }

    /** The number of entries. */
    public int getSize() {
        return bytes.length / 2;
    }

    /** Whether there are no entries. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Whether an entry has this key. */
    public boolean contains(String key) {
        return first(key) != null;
    }

    /** The first value of {@code key} as text, or null if there is none. Bytes that are not UTF-8 become U+FFFD. */
    public @Nullable String get(String key) {
        byte[] value = first(key);
        return value == null ? null : text(value);
    }

    /** The first value of {@code key}, a new copy, or null if there is none. */
    public byte @Nullable [] getBytes(String key) {
        byte[] value = first(key);
        return value == null ? null : value.clone();
    }

    /** All values of {@code key} as text, in order. */
    public List<String> getAll(String key) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < bytes.length; i += 2) {
            if (text(bytes[i]).equals(key)) {
                values.add(text(bytes[i + 1]));
            }
        }
        return List.copyOf(values);
    }

    /** This metadata without the entries of these keys. */
    public Metadata without(String... keys) {
        List<String> unwanted = Arrays.asList(keys);
        List<byte[]> rest = new ArrayList<>(bytes.length);
        for (int i = 0; i < bytes.length; i += 2) {
            if (!unwanted.contains(text(bytes[i]))) {
                rest.add(bytes[i]);
                rest.add(bytes[i + 1]);
            }
        }
        return rest.size() == bytes.length ? this : ofPairs(rest.toArray(new byte[0][]));
    }

    /** This metadata with one more entry at its end. Entries of the same key stay. */
    public Metadata plus(String key, String value) {
        return plus(of(key, value));
    }

    /** This metadata with one more entry of bytes, which are copied, at its end. Entries of the same key stay. */
    public Metadata plus(String key, byte[] value) {
        return plus(ofBytes(TextBytes.utf8("metadata", key), value));
    }

    /** This metadata followed by the entries of another. */
    public Metadata plus(Metadata other) {
        byte[][] both = Arrays.copyOf(bytes, bytes.length + other.bytes.length);
        System.arraycopy(other.bytes, 0, both, bytes.length, other.bytes.length);
        return ofPairs(both);
    }

    /** The encoding of the C data interface; see {@link MetadataCodec}. {@link #EMPTY} is encoded as a count of 0. */
    public byte[] encode() {
        return MetadataCodec.encode(bytes);
    }

    /**
     * Decodes {@code bytes}, which must consist of exactly one encoding of the C data interface.
     *
     * @throws InvalidSchemaException whose message names the byte position and what was expected
     */
    public static Metadata decode(byte[] bytes) {
        return decode(ByteBuffer.wrap(bytes));
    }

    /**
     * Decodes the bytes from the buffer's position to its limit, which must be exactly one encoding of the C data
     * interface. Does not change the buffer's position or byte order.
     *
     * @throws InvalidSchemaException whose message names the byte position, from the buffer's, and what was expected
     */
    public static Metadata decode(ByteBuffer bytes) {
        return MetadataCodec.decode(bytes);
    }

    private byte @Nullable [] first(String key) {
        for (int i = 0; i < bytes.length; i += 2) {
            if (text(bytes[i]).equals(key)) {
                return bytes[i + 1];
            }
        }
        return null;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Metadata that && Arrays.deepEquals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(bytes);
    }

    /** {@code {key: value, …}}, with {@code <n bytes>} for a value that is not text. */
    @Override
    public String toString() {
        return "{" + String.join(", ", lines()) + "}";
    }

    /** {@code key: value} of each entry. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(getSize());
        for (int i = 0; i < bytes.length; i += 2) {
            lines.add(text(bytes[i]) + ": " + textOrSize(bytes[i + 1]));
        }
        return lines;
    }

    private static String textOrSize(byte[] value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException e) {
            return "<" + value.length + " bytes>";
        }
    }
}
