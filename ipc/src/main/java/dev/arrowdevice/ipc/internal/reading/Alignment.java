package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** Small questions about bytes. */
final class Alignment {
    /** Java 17 and Android don't know addresses; nothing can be exported there either. */
    private static final boolean KNOWS_ADDRESSES = addresses();

    private Alignment() {}

    private static boolean addresses() {
        try {
            HostMemory.EMPTY.getAddress();
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    /** Whether values of 8 bytes in the buffer are aligned, as far as the machine knows. */
    static boolean isAligned(DeviceBuffer buffer) {
        return !KNOWS_ADDRESSES || buffer.getAddress() % 8 == 0;
    }

    /** An integer, the lowest byte first. */
    static int littleInt(byte[] bytes, int at) {
        return bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16 | bytes[at + 3] << 24;
    }
}
