package dev.arrowdevice.ipc.internal.format;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** A list of numbers that grows, and is used again. */
public final class Longs {
    private long[] values = new long[32];
    private int size;

    /** A list of numbers. */
    public static Longs of(long... values) {
        Longs list = new Longs();
        for (long value : values) {
            list.add(value);
        }
        return list;
    }

    /** A list of one number, {@code count} times. */
    static Longs repeat(long value, int count) {
        Longs list = new Longs();
        for (int i = 0; i < count; i++) {
            list.add(value);
        }
        return list;
    }

    /** Adds a number. */
    public void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    /** Replaces a number. */
    public void set(int index, long value) {
        values[index] = value;
    }

    /** A number. */
    public long get(int index) {
        return values[index];
    }

    /** How many numbers there are. */
    public int size() {
        return size;
    }

    /** Forgets all numbers. */
    public void clear() {
        size = 0;
    }

    /** Writes all numbers to a buffer of as many. */
    void copyTo(LongBuffer target) {
        ((Buffer) target).clear(); // Android 13 has it in Buffer alone.
        target.put(values, 0, size);
    }

    /** Writes a vector of structs, each of {@code perElement} of the numbers in turn. Returns its place. */
    int vector(FlatBufferBuilder builder, int perElement) {
        ByteBuffer vector = builder.createUnintializedVector(perElement * Long.BYTES, size / perElement, Long.BYTES);
        vector.asLongBuffer().put(values, 0, size);
        return builder.endVector();
    }
}
