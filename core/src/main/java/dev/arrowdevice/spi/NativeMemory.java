package dev.arrowdevice.spi;

import dev.arrowdevice.DelicateArrowApi;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.memory.Platform;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes memory of the process by address, and allocates on the C heap. <b>Nothing is checked</b>: a wrong
 * address may crash the process. Values are in the machine's byte order and need no alignment. All methods
 * throw {@link UnsupportedOperationException} on Java before 22, and without native access. May be used from any thread; nothing is atomic.
 *
 * <p>For memory that lives as long as a call, such as the result of a function, use {@link NativeAllocation}.
 */
@DelicateArrowApi
public final class NativeMemory {
    private NativeMemory() {}

    private static void require() {
        Platform.requireNativeAccess("NativeMemory");
    }

    /**
     * Allocates uninitialised memory on the C heap. The counters don't count it.
     *
     * @param byteSize the size in bytes, above 0
     * @return the address, aligned for every C type; the caller {@linkplain #free frees} it
     * @throws OutOfMemoryError if the C heap has no room
     */
    public static long allocate(long byteSize) {
        require();
        return CHeap.allocate(byteSize);
    }

    /** Frees memory of {@link #allocate} or of C's {@code malloc}, exactly once. */
    public static void free(long address) {
        require();
        CHeap.free(address);
    }

    /** Reads a byte. */
    public static byte getByte(long address) {
        require();
        return RawMemory.getByte(address);
    }

    /** Reads a 32-bit integer. */
    public static int getInt(long address) {
        require();
        return RawMemory.getInt(address);
    }

    /** Reads a 64-bit integer or a pointer. */
    public static long getLong(long address) {
        require();
        return RawMemory.getLong(address);
    }

    /** Writes a byte. */
    public static void putByte(long address, byte value) {
        require();
        RawMemory.putByte(address, value);
    }

    /** Writes a 32-bit integer. */
    public static void putInt(long address, int value) {
        require();
        RawMemory.putInt(address, value);
    }

    /** Writes a 64-bit integer or a pointer. */
    public static void putLong(long address, long value) {
        require();
        RawMemory.putLong(address, value);
    }

    /** Reads bytes. */
    public static byte[] getBytes(long address, int byteSize) {
        require();
        return RawMemory.getBytes(address, byteSize);
    }

    /** Writes bytes. */
    public static void putBytes(long address, byte[] bytes) {
        require();
        RawMemory.putBytes(address, bytes);
    }

    /** Copies bytes; the ranges may overlap. */
    public static void copy(long source, long target, long byteSize) {
        require();
        RawMemory.copy(source, target, byteSize);
    }

    /** Sets bytes to 0. */
    public static void zero(long address, long byteSize) {
        require();
        RawMemory.zero(address, byteSize);
    }

    /**
     * The text of a NUL-terminated UTF-8 string.
     *
     * @param maxSize the largest number of bytes to read; a longer string is cut
     */
    public static String getString(long address, int maxSize) {
        require();
        return new String(RawMemory.getCString(address, maxSize), StandardCharsets.UTF_8);
    }
}
