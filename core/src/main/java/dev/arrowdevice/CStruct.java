package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.Callbacks;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.exchange.Requirements;

/**
 * The memory of one C struct, to pass to foreign functions that fill it or take its content. It begins zeroed, which
 * marks it released.
 *
 * <p>The struct's memory and its content are two things: exporting and importing move the content, the memory stays the
 * caller's. {@link #close()} releases a content that nobody took, then frees the memory.
 *
 * <p>All methods throw {@link UnsupportedOperationException} on Java before 22. Not for concurrent use.
 */
public final class CStruct implements AutoCloseable {
    private enum Kind {
        SCHEMA("arrow_schema"),
        ARRAY("arrow_array"),
        DEVICE_ARRAY("arrow_device_array"),
        ARRAY_STREAM("arrow_array_stream"),
        DEVICE_ARRAY_STREAM("arrow_device_array_stream");

        private final String capsule;

        Kind(String capsule) {
            this.capsule = capsule;
        }
    }

    private final Kind kind;
    private final long byteSize;
    private long address;

    private CStruct(Kind kind, long byteSize) {
        this.kind = kind;
        this.byteSize = byteSize;
        this.address = CHeap.allocate(byteSize);
        RawMemory.zeroLongs(address, byteSize);
    }

    /** Memory for an {@code ArrowSchema}. */
    public static CStruct schema() {
        Requirements.requireForeignMemory("CStruct.schema");
        return new CStruct(Kind.SCHEMA, CSchema.SIZE);
    }

    /** Memory for an {@code ArrowArray}. */
    public static CStruct array() {
        Requirements.requireForeignMemory("CStruct.array");
        return new CStruct(Kind.ARRAY, CArray.SIZE);
    }

    /** Memory for an {@code ArrowDeviceArray}. */
    public static CStruct deviceArray() {
        Requirements.requireForeignMemory("CStruct.deviceArray");
        return new CStruct(Kind.DEVICE_ARRAY, CDeviceArray.SIZE);
    }

    /** Memory for an {@code ArrowArrayStream}. */
    public static CStruct arrayStream() {
        Requirements.requireForeignMemory("CStruct.arrayStream");
        return new CStruct(Kind.ARRAY_STREAM, CArrayStream.SIZE);
    }

    /** Memory for an {@code ArrowDeviceArrayStream}. */
    public static CStruct deviceArrayStream() {
        Requirements.requireForeignMemory("CStruct.deviceArrayStream");
        return new CStruct(Kind.DEVICE_ARRAY_STREAM, CDeviceArrayStream.SIZE);
    }

    /**
     * The address of the struct.
     *
     * @throws IllegalStateException after {@link #close()}
     */
    public long getAddress() {
        if (address == 0) {
            throw new IllegalStateException("address: the struct's memory has been freed");
        }
        return address;
    }

    /** The name of a Python capsule with such a struct. */
    public String getCapsuleName() {
        return kind.capsule;
    }

    /** Whether the struct has a content, that is, its {@code release} is not NULL. */
    public boolean isLive() {
        return release(getAddress()) != 0;
    }

    /** Releases the content if there is one, and frees the memory. Idempotent. */
    @Override
    public void close() {
        long struct = address;
        if (struct == 0) {
            return;
        }
        address = 0;
        long callback = release(struct);
        if (callback != 0) {
            Callbacks.release(callback, struct);
        }
        CHeap.free(struct, byteSize);
    }

    private long release(long struct) {
        switch (kind) {
            case SCHEMA:
                return CSchema.release(struct);
            case ARRAY:
            case DEVICE_ARRAY:
                return CArray.release(struct);
            case ARRAY_STREAM:
                return CArrayStream.release(struct);
            default:
                return CDeviceArrayStream.release(struct);
        }
    }
}
