package dev.arrowdevice.spi;

/**
 * Bytes that lie one after the other.
 *
 * @param address the first one's
 * @param byteSize how many they are
 */
public record AddressRange(long address, long byteSize) {
    /** The address behind the last byte. */
    public long end() {
        return address + byteSize;
    }

    /** Whether it has a byte. */
    public boolean contains(long other) {
        return other >= address && other < end();
    }
}
