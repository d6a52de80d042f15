package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.ByteBufferMemory;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.memory.SegmentMemory;
import java.nio.ByteBuffer;

/**
 * Bytes that the host can read and write, addressed by byte offset from 0.
 *
 * <p>Values are in the machine's byte order and need no alignment. Every access is checked: it throws
 * {@link IndexOutOfBoundsException} if any byte is outside. The parameters {@code from} and {@code count} of arrays
 * count elements. All other offsets and sizes count bytes.
 *
 * <p>There are two implementations: memory segments if {@code java.lang.foreign} exists, otherwise direct byte buffers.
 * Whoever uses a {@code HostMemory} must have a reference to the memory's owner meanwhile. An access after the memory
 * was freed is undefined.
 */
public sealed interface HostMemory permits SegmentMemory, ByteBufferMemory {
    /** Memory of zero bytes. */
    HostMemory EMPTY = Platform.HAS_FOREIGN_MEMORY ? SegmentMemory.empty() : ByteBufferMemory.empty();

    /** The size in bytes. */
    long getByteSize();

    /**
     * The address of the first byte.
     *
     * @throws UnsupportedOperationException on a runtime without {@code java.lang.foreign}
     */
    long getAddress();

    /** The byte at an offset. */
    byte getByte(long offset);

    /** The 16-bit integer at an offset. */
    short getShort(long offset);

    /** The 32-bit integer at an offset. */
    int getInt(long offset);

    /** The 64-bit integer at an offset. */
    long getLong(long offset);

    /** The 32-bit floating point number at an offset. */
    float getFloat(long offset);

    /** The 64-bit floating point number at an offset. */
    double getDouble(long offset);

    /** Writes a byte. */
    void putByte(long offset, byte value);

    /** Writes a 16-bit integer. */
    void putShort(long offset, short value);

    /** Writes a 32-bit integer. */
    void putInt(long offset, int value);

    /** Writes a 64-bit integer. */
    void putLong(long offset, long value);

    /** Writes a 32-bit floating point number. */
    void putFloat(long offset, float value);

    /** Writes a 64-bit floating point number. */
    void putDouble(long offset, double value);

    /** Reads {@code count} bytes into {@code target[from…]}. */
    void get(long offset, byte[] target, int from, int count);

    /** Reads {@code count} 16-bit integers into {@code target[from…]}. */
    void get(long offset, short[] target, int from, int count);

    /** Reads {@code count} 32-bit integers into {@code target[from…]}. */
    void get(long offset, int[] target, int from, int count);

    /** Reads {@code count} 64-bit integers into {@code target[from…]}. */
    void get(long offset, long[] target, int from, int count);

    /** Reads {@code count} 32-bit floating point numbers into {@code target[from…]}. */
    void get(long offset, float[] target, int from, int count);

    /** Reads {@code count} 64-bit floating point numbers into {@code target[from…]}. */
    void get(long offset, double[] target, int from, int count);

    /** Writes {@code count} bytes from {@code source[from…]}. */
    void put(long offset, byte[] source, int from, int count);

    /** Writes {@code count} 16-bit integers from {@code source[from…]}. */
    void put(long offset, short[] source, int from, int count);

    /** Writes {@code count} 32-bit integers from {@code source[from…]}. */
    void put(long offset, int[] source, int from, int count);

    /** Writes {@code count} 64-bit integers from {@code source[from…]}. */
    void put(long offset, long[] source, int from, int count);

    /** Writes {@code count} 32-bit floating point numbers from {@code source[from…]}. */
    void put(long offset, float[] source, int from, int count);

    /** Writes {@code count} 64-bit floating point numbers from {@code source[from…]}. */
    void put(long offset, double[] source, int from, int count);

    /** Copies {@code byteSize} bytes to another host memory. */
    void copyTo(long offset, HostMemory target, long targetOffset, long byteSize);

    /** Whether {@code byteSize} bytes are the same here and in another host memory. */
    boolean contentEquals(long offset, HostMemory other, long otherOffset, long byteSize);

    /** Sets {@code byteSize} bytes to one value. */
    void fill(long offset, long byteSize, byte value);

    /** A range of the bytes. */
    HostMemory slice(long offset, long byteSize);

    /**
     * A range of the bytes as a direct byte buffer in the machine's byte order, for channels. It is the same memory, so it
     * must not be used after the memory was freed.
     *
     * @param byteSize at most {@link Integer#MAX_VALUE}
     * @throws IllegalArgumentException if the range is larger than a byte buffer can be
     */
    ByteBuffer asByteBuffer(long offset, long byteSize);
}
