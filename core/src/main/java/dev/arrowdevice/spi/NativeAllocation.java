package dev.arrowdevice.spi;

import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.memory.Platform;
import java.nio.charset.StandardCharsets;

/**
 * A small allocation on the C heap that lives as long as a call of a native function: an argument, or memory for a
 * result. It begins zeroed, and every access is checked against its size.
 *
 * <!-- given
 * static Hip api;
 * static long byteSize;
 * interface Hip { int hipMalloc(long target, long byteSize); }
 * static void check(int code) {}
 * -->
 * <pre>{@code
 * try (NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
 *     check(api.hipMalloc(out.getAddress(), byteSize));
 *     return out.getLong(0);
 * }
 * }</pre>
 *
 * <p>Whoever allocates it closes it, which frees it. Afterwards the address must not be used, and every other method
 * throws {@link IllegalStateException}. For one thread.
 */
public final class NativeAllocation implements AutoCloseable {
    private final long address;
    private final long byteSize;
    private boolean closed;

    private NativeAllocation(long byteSize) {
        Platform.requireNativeAccess("native memory");
        this.byteSize = byteSize;
        this.address = CHeap.allocate(Math.max(byteSize, 1));
        RawMemory.zero(address, byteSize);
    }

    /**
     * Allocates a block.
     *
     * @param byteSize the size in bytes, 0 or more
     * @throws OutOfMemoryError if the C heap has no room
     * @throws UnsupportedOperationException if this Java is older than 22, or native access is denied to {@code core}
     */
    public static NativeAllocation allocate(long byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("a block of " + byteSize + " bytes");
        }
        return new NativeAllocation(byteSize);
    }

    /** A block of 64-bit integers or pointers. */
    public static NativeAllocation ofLongs(long... values) {
        NativeAllocation block = new NativeAllocation((long) values.length * Long.BYTES);
        for (int i = 0; i < values.length; i++) {
            RawMemory.putLong(block.address + (long) i * Long.BYTES, values[i]);
        }
        return block;
    }

    /** A block of 32-bit integers. */
    public static NativeAllocation ofInts(int... values) {
        NativeAllocation block = new NativeAllocation((long) values.length * Integer.BYTES);
        for (int i = 0; i < values.length; i++) {
            RawMemory.putInt(block.address + (long) i * Integer.BYTES, values[i]);
        }
        return block;
    }

    /** A block of bytes. */
    public static NativeAllocation ofBytes(byte[] bytes) {
        NativeAllocation block = new NativeAllocation(bytes.length);
        RawMemory.putBytes(block.address, bytes);
        return block;
    }

    /** A block with a text in UTF-8 and a NUL after it. If the text contains a NUL, C sees only what is before it. */
    public static NativeAllocation ofString(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        NativeAllocation block = new NativeAllocation(bytes.length + 1L);
        RawMemory.putBytes(block.address, bytes);
        return block;
    }

    /** The address, aligned for every C type. */
    public long getAddress() {
        return at(0, 0);
    }

    /** The size in bytes. */
    public long getByteSize() {
        return byteSize;
    }

    /** Reads a byte. */
    public byte getByte(long offset) {
        return RawMemory.getByte(at(offset, Byte.BYTES));
    }

    /** Reads a 32-bit integer. */
    public int getInt(long offset) {
        return RawMemory.getInt(at(offset, Integer.BYTES));
    }

    /** Reads a 64-bit integer or a pointer. */
    public long getLong(long offset) {
        return RawMemory.getLong(at(offset, Long.BYTES));
    }

    /** Writes a 32-bit integer. */
    public void putInt(long offset, int value) {
        RawMemory.putInt(at(offset, Integer.BYTES), value);
    }

    /** Writes a 64-bit integer or a pointer. */
    public void putLong(long offset, long value) {
        RawMemory.putLong(at(offset, Long.BYTES), value);
    }

    /** Reads bytes. */
    public byte[] getBytes(long offset, int size) {
        return RawMemory.getBytes(at(offset, size), size);
    }

    /** The text from the start to a NUL, or to the end of the block. */
    public String getString() {
        return NativeMemory.getString(at(0, 0), (int) Math.min(byteSize, Integer.MAX_VALUE));
    }

    private long at(long offset, int size) {
        if (closed) {
            throw new IllegalStateException("the block has been closed");
        }
        if (offset < 0 || size < 0 || offset > byteSize - size) {
            throw new IndexOutOfBoundsException(size + " bytes at " + offset + " of " + byteSize);
        }
        return address + offset;
    }

    /** Frees the memory. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            CHeap.free(address);
        }
    }
}
