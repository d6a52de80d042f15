package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;

/** The memory of an {@code ArrowArray}; made by {@link CStruct#array()}. */
public final class CArrayStruct extends CStruct {
    CArrayStruct() {
        super((int) CArray.SIZE);
    }

    CArrayStruct(long address) {
        super((int) CArray.SIZE, address);
    }

    @Override
    public String getCapsuleName() {
        return "arrow_array";
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
