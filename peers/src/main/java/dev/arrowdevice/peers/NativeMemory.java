package dev.arrowdevice.peers;

/**
 * Any byte of the process by address, for tests that look into foreign memory or spoil it on purpose. Nothing is checked:
 * a wrong address ends the process.
 */
public final class NativeMemory {
    private NativeMemory() {}

    /**
     * Reads one byte.
     *
     * @param address where
     */
    public static byte getByte(long address) {
        return dev.arrowdevice.spi.NativeMemory.getByte(address);
    }

    /**
     * Writes one byte.
     *
     * @param address where
     * @param value what
     */
    public static void putByte(long address, int value) {
        dev.arrowdevice.spi.NativeMemory.putByte(address, (byte) value);
    }

    /**
     * Reads four bytes.
     *
     * @param address where, aligned or not
     */
    public static int getInt(long address) {
        return dev.arrowdevice.spi.NativeMemory.getInt(address);
    }

    /**
     * Writes four bytes.
     *
     * @param address where, aligned or not
     * @param value what
     */
    public static void putInt(long address, int value) {
        dev.arrowdevice.spi.NativeMemory.putInt(address, value);
    }

    /**
     * Reads eight bytes.
     *
     * @param address where, aligned or not
     */
    public static long getLong(long address) {
        return dev.arrowdevice.spi.NativeMemory.getLong(address);
    }

    /**
     * Writes eight bytes.
     *
     * @param address where, aligned or not
     * @param value what
     */
    public static void putLong(long address, long value) {
        dev.arrowdevice.spi.NativeMemory.putLong(address, value);
    }

    /**
     * Reads UTF-8 up to a zero byte.
     *
     * @param address of the first byte; not 0
     */
    public static String string(long address) {
        return dev.arrowdevice.spi.NativeMemory.getString(address, Integer.MAX_VALUE);
    }
}
