package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CSchema;

/** The memory of an {@code ArrowSchema}; made by {@link CStruct#schema()}. */
public final class CSchemaStruct extends CStruct {
    CSchemaStruct() {
        super((int) CSchema.SIZE);
    }

    CSchemaStruct(long address) {
        super((int) CSchema.SIZE, address);
    }

    @Override
    public String getCapsuleName() {
        return "arrow_schema";
    }

    @Override
    long release(long struct) {
        return CSchema.release(struct);
    }

    @Override
    void markReleased(long struct) {
        CSchema.setRelease(struct, 0);
    }
}
