package dev.arrowdevice.ipc.internal.format;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.Metadata;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.apache.arrow.flatbuf.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values, in FlatBuffers and here. Here they are bytes, which need not be text, so they go through the encoding of
 * the C data interface: a count, and for each key and value a size and its bytes, in the machine's byte order.
 */
final class MetadataCodec {
    private MetadataCodec() {}

    /**
     * Reads a vector of key-value pairs.
     *
     * @param budget for the bytes of all keys and values
     */
    static Metadata decode(int count, IntFunction<@Nullable KeyValue> pairs, TextBudget budget) {
        if (count == 0) {
            return Metadata.EMPTY;
        }
        byte[][] entries = new byte[Math.min(2 * count, 1024)][];
        int size = 0;
        for (int i = 0; i < count; i++) {
            KeyValue pair = Guard.require(pairs.apply(i), "pair of key and value");
            if (size == entries.length) {
                entries = Arrays.copyOf(entries, size * 2);
            }
            entries[size++] = bytes(pair.keyAsByteBuffer(), budget);
            entries[size++] = bytes(pair.valueAsByteBuffer(), budget);
        }
        return Metadata.ofBytes(Arrays.copyOf(entries, size));
    }

    private static byte[] bytes(@Nullable ByteBuffer buffer, TextBudget budget) {
        if (buffer == null) {
            return new byte[0];
        }
        budget.take(buffer);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** Writes a vector's elements; returns the offsets of the pairs. */
    static int[] encode(FlatBufferBuilder builder, Metadata metadata) {
        ByteBuffer encoded = ByteBuffer.wrap(metadata.encode()).order(ByteOrder.nativeOrder());
        int[] pairs = new int[encoded.getInt()];
        for (int i = 0; i < pairs.length; i++) {
            int key = text(builder, encoded);
            int value = text(builder, encoded);
            pairs[i] = KeyValue.createKeyValue(builder, key, value);
        }
        return pairs;
    }

    private static int text(FlatBufferBuilder builder, ByteBuffer encoded) {
        int size = encoded.getInt();
        ByteBuffer bytes = encoded.slice();
        ((Buffer) bytes).limit(size); // Android 13 has it in Buffer alone.
        ((Buffer) encoded).position(encoded.position() + size);
        return builder.createString(bytes);
    }
}
