package dev.arrowdevice.internal.type;

import dev.arrowdevice.InvalidSchemaException;
import dev.arrowdevice.Metadata;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code ArrowSchema.metadata}: "int32: number of key/value pairs (noted N below); int32: byte length of key 0; key 0
 * (not null-terminated); int32: byte length of value 0; value 0 (not null-terminated); …". "Integers are stored in
 * native endianness."
 */
public final class MetadataCodec {
    /** A larger number of pairs is regarded as garbage. */
    public static final int MAX_PAIRS = 1 << 20;
    /** A larger number of bytes of keys and values together is regarded as garbage. */
    public static final int MAX_BYTES = 1 << 26;

    private MetadataCodec() {}

    /** Bytes of unknown length, such as those at a C pointer. */
    public interface ByteSource {
        /** The 32-bit integer at byte {@code offset}, in the machine's byte order, aligned or not. */
        int int32(long offset);

        /** A new copy of {@code length} bytes from byte {@code offset}. */
        byte[] bytes(long offset, int length);
    }

    /** The encoding of key, value, key, value, …; without entries, a count of 0. */
    public static byte[] encode(byte[][] keysAndValues) {
        int entries = keysAndValues.length / 2;
        long size = Integer.BYTES;
        for (byte[] part : keysAndValues) {
            size += Integer.BYTES + (long) part.length;
        }
        if (entries > MAX_PAIRS || size > MAX_BYTES) {
            throw new InvalidSchemaException("metadata of " + entries + " entries and " + size
                    + " bytes is too large: at most " + MAX_PAIRS + " entries and " + MAX_BYTES + " bytes");
        }
        ByteBuffer target = ByteBuffer.allocate((int) size).order(ByteOrder.nativeOrder());
        target.putInt(entries);
        for (byte[] part : keysAndValues) {
            target.putInt(part.length).put(part);
        }
        return target.array();
    }

    /**
     * Reads metadata of unknown length. Reads no byte after the end that the counts and lengths give, and stops at a
     * count or length that is negative or larger than {@link #MAX_PAIRS} and {@link #MAX_BYTES} allow.
     *
     * @throws InvalidSchemaException whose message names the byte position and what was expected
     */
    public static Metadata decode(ByteSource source) {
        return new Decoder(source, MAX_BYTES, false).decode();
    }

    /** Reads metadata that fills a buffer. */
    public static Metadata decode(ByteBuffer bytes) {
        ByteBuffer view = bytes.slice().order(ByteOrder.nativeOrder());
        ByteSource source = new ByteSource() {
            @Override
            public int int32(long offset) {
                return view.getInt((int) offset);
            }

            @Override
            public byte[] bytes(long offset, int length) {
                byte[] copy = new byte[length];
                ByteBuffer cursor = view.duplicate();
                // As a Buffer: Android's API has no position(int) that returns a ByteBuffer.
                Buffer position = cursor;
                position.position((int) offset);
                cursor.get(copy);
                return copy;
            }
        };
        return new Decoder(source, view.remaining(), true).decode();
    }

    private static final class Decoder {
        private final ByteSource source;
        private final long limit;
        private final boolean bounded;
        private long position;

        Decoder(ByteSource source, long limit, boolean bounded) {
            this.source = source;
            this.limit = limit;
            this.bounded = bounded;
        }

        Metadata decode() {
            int count = int32("the number of entries");
            // Each entry has two lengths at least, so the length of the source limits the count too.
            long most = Math.min(MAX_PAIRS, (limit - position) / (2 * Integer.BYTES));
            if (count < 0 || count > most) {
                throw invalid(position - Integer.BYTES, "the number of entries, 0 to " + most, String.valueOf(count));
            }
            byte[][] bytes = new byte[2 * count][];
            for (int i = 0; i < count; i++) {
                bytes[2 * i] = bytes("the key of entry " + i);
                bytes[2 * i + 1] = bytes("the value of entry " + i);
            }
            if (bounded && position < limit) {
                throw invalid(position, "the end", (limit - position) + " more bytes");
            }
            return Metadata.ofBytes(bytes);
        }

        private byte[] bytes(String what) {
            int length = int32("the length of " + what);
            if (length < 0 || length > limit - position) {
                String expected = "the length of " + what + ", 0 to " + (limit - position);
                throw invalid(position - Integer.BYTES, expected, String.valueOf(length));
            }
            byte[] copy = source.bytes(position, length);
            position += length;
            return copy;
        }

        private int int32(String what) {
            if (limit - position < Integer.BYTES) {
                throw invalid(position, "4 bytes with " + what, (limit - position) + " bytes");
            }
            int value = source.int32(position);
            position += Integer.BYTES;
            return value;
        }

        private static InvalidSchemaException invalid(long at, String expected, String got) {
            return new InvalidSchemaException("metadata at byte " + at + ": expected " + expected + ", got " + got);
        }
    }
}
