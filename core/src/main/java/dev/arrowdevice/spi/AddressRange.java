package dev.arrowdevice.spi;

/**
 * A contiguous range of bytes.
 *
 * @param address the address of the first byte
 * @param byteSize the number of bytes
 */
public record AddressRange(long address, long byteSize) {
    /** The address after the last byte. */
    public long end() {
        return address + byteSize;
    }

    /** Whether an address is in the range. */
    public boolean contains(long other) {
        return other >= address && other < end();
    }
}
