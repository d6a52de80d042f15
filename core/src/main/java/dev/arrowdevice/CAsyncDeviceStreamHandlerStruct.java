package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler;

/**
 * An {@code ArrowAsyncDeviceStreamHandler} that a consumer has made for one producer. The consumer is this SDK, or a
 * foreign one whose handler {@link ArrowAddresses#asyncDeviceStreamHandler} refers to. It is valid until the producer
 * calls its {@code release}.
 */
public final class CAsyncDeviceStreamHandlerStruct extends CStruct {
    CAsyncDeviceStreamHandlerStruct(long address) {
        super((int) CAsyncDeviceStreamHandler.SIZE, address);
    }

    /**
     * Has no result: the specification passes no handlers in capsules.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public String getCapsuleName() {
        throw new UnsupportedOperationException("a handler has no Python capsule: the specification names none");
    }

    @Override
    long release(long struct) {
        return CAsyncDeviceStreamHandler.release(struct);
    }

    @Override
    void markReleased(long struct) {
        CAsyncDeviceStreamHandler.setRelease(struct, 0);
    }
}
