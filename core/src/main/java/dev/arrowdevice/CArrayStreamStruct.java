package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArrayStream;

/** The memory of an {@code ArrowArrayStream}; made by {@link CStruct#arrayStream()}. */
public final class CArrayStreamStruct extends CStruct {
    CArrayStreamStruct() {
        super((int) CArrayStream.SIZE);
    }

    CArrayStreamStruct(long address) {
        super((int) CArrayStream.SIZE, address);
    }

    @Override
    public String getCapsuleName() {
        return "arrow_array_stream";
    }

    @Override
    long release(long struct) {
        return CArrayStream.release(struct);
    }

    @Override
    void markReleased(long struct) {
        CArrayStream.setRelease(struct, 0);
    }
}
