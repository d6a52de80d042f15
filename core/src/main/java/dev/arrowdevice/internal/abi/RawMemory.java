package dev.arrowdevice.internal.abi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Memory at raw addresses, without checks. Only for memory whose size an interface defines. Values need no alignment,
 * except for {@link #addAndGetInt}.
 */
public final class RawMemory {
    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT_UNALIGNED.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG_UNALIGNED.varHandle();
    private static final VarHandle ATOMIC_INT = ValueLayout.JAVA_INT.varHandle();

    /** Up to this number of bytes, a loop is faster than a call of a copy function. */
    private static final int FEW = 16;

    private RawMemory() {}

    /** Reads a byte. */
    public static byte getByte(long address) {
        return (byte) BYTE.get(ALL, address);
    }

    /** Reads a 32-bit integer. */
    public static int getInt(long address) {
        return (int) INT.get(ALL, address);
    }

    /** Reads a 64-bit integer or a pointer. */
    public static long getLong(long address) {
        return (long) LONG.get(ALL, address);
    }

    /** Writes a byte. */
    public static void putByte(long address, byte value) {
        BYTE.set(ALL, address, value);
    }

    /** Writes a 32-bit integer. */
    public static void putInt(long address, int value) {
        INT.set(ALL, address, value);
    }

    /** Writes a 64-bit integer or a pointer. */
    public static void putLong(long address, long value) {
        LONG.set(ALL, address, value);
    }

    /** Adds to an aligned 32-bit integer atomically and returns the sum. */
    public static int addAndGetInt(long address, int delta) {
        return (int) ATOMIC_INT.getAndAdd(ALL, address, delta) + delta;
    }

    /** Copies a multiple of 8 bytes, few enough that a call of a copy function would take longer. */
    public static void copyLongs(long source, long target, long byteSize) {
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            putLong(target + i, getLong(source + i));
        }
    }

    /** Sets a multiple of 8 bytes to 0, few enough that a call of a function would take longer. */
    public static void zeroLongs(long address, long byteSize) {
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            putLong(address + i, 0);
        }
    }

    /** Copies bytes. */
    public static void copy(long source, long target, long byteSize) {
        MemorySegment.copy(ALL, source, ALL, target, byteSize);
    }

    /** Sets bytes to 0. */
    public static void zero(long address, long byteSize) {
        ALL.asSlice(address, byteSize).fill((byte) 0);
    }

    /** Reads bytes. */
    public static byte[] getBytes(long address, int byteSize) {
        byte[] bytes = new byte[byteSize];
        if (byteSize <= FEW) {
            for (int i = 0; i < byteSize; i++) {
                bytes[i] = getByte(address + i);
            }
        } else {
            MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, bytes, 0, byteSize);
        }
        return bytes;
    }

    /** Writes bytes. */
    public static void putBytes(long address, byte[] bytes) {
        if (bytes.length <= FEW) {
            for (int i = 0; i < bytes.length; i++) {
                BYTE.set(ALL, address + i, bytes[i]);
            }
        } else {
            MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, bytes.length);
        }
    }

    /**
     * The bytes of a NUL-terminated string.
     *
     * @param maxSize the largest number of bytes to read; a longer string is cut
     */
    public static byte[] getCString(long address, int maxSize) {
        int size = 0;
        while (size < maxSize && getByte(address + size) != 0) {
            size++;
        }
        return getBytes(address, size);
    }

    /**
     * Copies a text to the C heap as a NUL-terminated UTF-8 string, which the caller frees. If the text contains a NUL,
     * C sees only what is before it.
     */
    public static long newCString(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long address = CHeap.allocate(bytes.length + 1L);
        putBytes(address, bytes);
        BYTE.set(ALL, address + bytes.length, (byte) 0);
        return address;
    }
}
