package dev.arrowdevice.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Any byte of the process by address, for tests that look into foreign memory or spoil it on purpose. Nothing is checked:
 * a wrong address ends the process.
 */
public final class NativeMemory {
    @SuppressWarnings("restricted") // reading and writing anywhere is what this class is for
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /**
     * Reads one byte.
     *
     * @param address where
     */
    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    /**
     * Writes one byte.
     *
     * @param address where
     * @param value what
     */
    public static void putByte(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
    }

    /**
     * Reads four bytes.
     *
     * @param address where, aligned or not
     */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /**
     * Writes four bytes.
     *
     * @param address where, aligned or not
     * @param value what
     */
    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Reads eight bytes.
     *
     * @param address where, aligned or not
     */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Writes eight bytes.
     *
     * @param address where, aligned or not
     * @param value what
     */
    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /**
     * Reads UTF-8 up to a zero byte.
     *
     * @param address of the first byte; not 0
     */
    public static String string(long address) {
        return ALL.getString(address, StandardCharsets.UTF_8);
    }
}
