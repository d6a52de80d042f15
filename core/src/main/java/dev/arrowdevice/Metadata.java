package dev.arrowdevice;

import dev.arrowdevice.internal.type.MetadataCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of a field or schema: a list, not a map. Order and repeated keys are kept, and keys and values are
 * kept as bytes: they are "not null-terminated" and may hold anything. Equal when all entries are, in order.
 */
public final class Metadata {
    /** No entries. */
    public static final Metadata EMPTY = new Metadata(List.of());

    private final List<Entry> entries;

    private Metadata(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * Metadata of text.
     *
     * @param keysAndValues key, value, key, value, …
     * @throws IllegalArgumentException when the last key has no value
     */
    public static Metadata of(String... keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("the last key has no value: " + keysAndValues[keysAndValues.length - 1]);
        }
        Builder builder = builder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.add(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.build();
    }

    /** A new empty builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The entries, in order. */
    public List<Entry> getEntries() {
        return entries;
    }

    /** How many entries there are. */
    public int getSize() {
        return entries.size();
    }

    /** True when there are none. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** True when an entry has this key. */
    public boolean contains(String key) {
        return first(key) != null;
    }

    /** The first value of {@code key} as text (bytes that are no UTF-8 become U+FFFD), or null when there is none. */
    public @Nullable String get(String key) {
        Entry entry = first(key);
        return entry == null ? null : entry.getValue();
    }

    /** The first value of {@code key}, a new copy, or null when there is none. */
    public byte @Nullable [] getBytes(String key) {
        Entry entry = first(key);
        return entry == null ? null : entry.getValueBytes();
    }

    /** All values of {@code key} as text, in order. */
    public List<String> getAll(String key) {
        List<String> values = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.getKey().equals(key)) {
                values.add(entry.getValue());
            }
        }
        return List.copyOf(values);
    }

    /** This metadata without the entries of these keys. */
    public Metadata without(String... keys) {
        if (entries.isEmpty()) {
            return this;
        }
        List<String> unwanted = Arrays.asList(keys);
        List<Entry> rest = new ArrayList<>(entries);
        return rest.removeIf(entry -> unwanted.contains(entry.getKey())) ? new Metadata(rest) : this;
    }

    /** This metadata with one more entry at its end; an entry of the same key stays. */
    public Metadata plus(String key, String value) {
        return builder().addAll(this).add(key, value).build();
    }

    /** The encoding of the C data interface; see {@link MetadataCodec}. Of {@link #EMPTY} too: a count of 0. */
    public byte[] encode() {
        return MetadataCodec.encode(this);
    }

    /**
     * Reads the encoding of the C data interface, which must fill {@code bytes}.
     *
     * @throws InvalidSchemaException that names the byte position and what was expected
     */
    public static Metadata decode(byte[] bytes) {
        return decode(ByteBuffer.wrap(bytes));
    }

    /**
     * Reads the encoding of the C data interface, which must fill {@code bytes} from its position to its limit. Leaves
     * its position and byte order as they are.
     *
     * @throws InvalidSchemaException that names the byte position (from the buffer's position) and what was expected
     */
    public static Metadata decode(ByteBuffer bytes) {
        return MetadataCodec.decode(bytes);
    }

    private @Nullable Entry first(String key) {
        for (Entry entry : entries) {
            if (entry.getKey().equals(key)) {
                return entry;
            }
        }
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Metadata that && entries.equals(that.entries);
    }

    @Override
    public int hashCode() {
        return entries.hashCode();
    }

    @Override
    public String toString() {
        StringJoiner joined = new StringJoiner(", ", "{", "}");
        entries.forEach(entry -> joined.add(entry.toString()));
        return joined.toString();
    }

    /** One key with one value. */
    public static final class Entry {
        private final byte[] keyBytes;
        private final byte[] valueBytes;
        private final String key;

        /** Takes the arrays over. */
        Entry(byte[] keyBytes, byte[] valueBytes) {
            this.keyBytes = keyBytes;
            this.valueBytes = valueBytes;
            this.key = new String(keyBytes, StandardCharsets.UTF_8);
        }

        /** The key as text; bytes that are no UTF-8 become U+FFFD. */
        public String getKey() {
            return key;
        }

        /** The value as text; bytes that are no UTF-8 become U+FFFD. */
        public String getValue() {
            return new String(valueBytes, StandardCharsets.UTF_8);
        }

        /** The key: a new copy. */
        public byte[] getKeyBytes() {
            return keyBytes.clone();
        }

        /** The value: a new copy. */
        public byte[] getValueBytes() {
            return valueBytes.clone();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entry that
                    && Arrays.equals(keyBytes, that.keyBytes)
                    && Arrays.equals(valueBytes, that.valueBytes);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(keyBytes) + Arrays.hashCode(valueBytes);
        }

        /** {@code key: value}, or {@code key: <n bytes>} when the value is no text. */
        @Override
        public String toString() {
            try {
                return key + ": " + StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(valueBytes));
            } catch (CharacterCodingException e) {
                return key + ": <" + valueBytes.length + " bytes>";
            }
        }
    }

    /** Collects entries; not safe for use by several threads. */
    public static final class Builder {
        private final List<Entry> entries = new ArrayList<>();

        private Builder() {}

        /** Adds an entry of text. */
        public Builder add(String key, String value) {
            return addEntry(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
        }

        /** Adds an entry with a binary value, which is copied. */
        public Builder add(String key, byte[] value) {
            return addEntry(key.getBytes(StandardCharsets.UTF_8), value.clone());
        }

        /** Adds all entries of {@code metadata}. */
        public Builder addAll(Metadata metadata) {
            entries.addAll(metadata.entries);
            return this;
        }

        /** Adds an entry of bytes, which are copied; keys are UTF-8 by custom. */
        public Builder add(byte[] key, byte[] value) {
            return addEntry(key.clone(), value.clone());
        }

        private Builder addEntry(byte[] key, byte[] value) {
            entries.add(new Entry(key, value));
            return this;
        }

        /** The entries so far. */
        public Metadata build() {
            return entries.isEmpty() ? EMPTY : new Metadata(entries);
        }
    }
}
