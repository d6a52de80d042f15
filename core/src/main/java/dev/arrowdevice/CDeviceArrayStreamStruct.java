package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CDeviceArrayStream;

/** The memory of an {@code ArrowDeviceArrayStream}; made by {@link CStruct#deviceArrayStream()}. */
public final class CDeviceArrayStreamStruct extends CStruct {
    CDeviceArrayStreamStruct() {
        super((int) CDeviceArrayStream.SIZE);
    }

    CDeviceArrayStreamStruct(long address) {
        super((int) CDeviceArrayStream.SIZE, address);
    }

    @Override
    public String getCapsuleName() {
        return "arrow_device_array_stream";
    }

    @Override
    long release(long struct) {
        return CDeviceArrayStream.release(struct);
    }

    @Override
    void markReleased(long struct) {
        CDeviceArrayStream.setRelease(struct, 0);
    }
}
