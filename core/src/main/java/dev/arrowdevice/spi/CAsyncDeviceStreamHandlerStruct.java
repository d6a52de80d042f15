package dev.arrowdevice.spi;

import dev.arrowdevice.DelicateArrowApi;
import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler;
import dev.arrowdevice.internal.exchange.Requirements;

/**
 * A consumer's {@code ArrowAsyncDeviceStreamHandler}, for one producer. It is valid until the producer calls its
 * {@code release}.
 */
public final class CAsyncDeviceStreamHandlerStruct {
    private final long address;

    private CAsyncDeviceStreamHandlerStruct(long address) {
        this.address = address;
    }

    /**
     * The handler at an address that foreign code has passed. This can't check that there is a handler.
     *
     * @throws IllegalArgumentException if the address is NULL
     * @throws UnsupportedOperationException on Java before 22, and without native access
     */
    @DelicateArrowApi
    public static CAsyncDeviceStreamHandlerStruct at(long address) {
        Requirements.requireAddress("CAsyncDeviceStreamHandlerStruct.at", "address", address);
        return new CAsyncDeviceStreamHandlerStruct(address);
    }

    /** The address, to pass to a foreign producer. */
    public long getAddress() {
        return address;
    }

    /** Whether the producer has not called {@code release} yet. The memory must still exist. */
    public boolean isLive() {
        return CAsyncDeviceStreamHandler.release(address) != 0;
    }
}
