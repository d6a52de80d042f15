package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CDeviceArray;

/** The memory of an {@code ArrowDeviceArray}; made by {@link CStruct#deviceArray()}. */
public final class CDeviceArrayStruct extends CStruct {
    CDeviceArrayStruct() {
        super((int) CDeviceArray.SIZE);
    }

    CDeviceArrayStruct(long address) {
        super((int) CDeviceArray.SIZE, address);
    }

    @Override
    public String getCapsuleName() {
        return "arrow_device_array";
    }

    @Override
    long release(long struct) {
        return CArray.release(struct);
    }

    @Override
    void markReleased(long struct) {
        CArray.setRelease(struct, 0);
    }
}
