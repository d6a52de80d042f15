package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.Callbacks;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.exchange.Requirements;

/**
 * The memory of one C struct, to pass to foreign functions that fill it or take its content. It begins zeroed, which
 * marks it released.
 *
 * <p>The struct's memory and its content are two things: exporting and importing move the content, the memory stays the
 * caller's. {@link #close()} releases a content that nobody took, then frees the memory. A struct that
 * {@link ArrowAddresses} made names memory of somebody else; closing it does nothing.
 *
 * <p>Mostly there is no need to make one: {@link ArrowExport} and {@link ArrowImport} pass structs of their own to a
 * block. All methods that make one throw {@link UnsupportedOperationException} on Java before 22. Not for concurrent use.
 */
public abstract sealed class CStruct implements AutoCloseable
        permits CSchemaStruct,
                CArrayStruct,
                CDeviceArrayStruct,
                CArrayStreamStruct,
                CDeviceArrayStreamStruct,
                CAsyncDeviceStreamHandlerStruct {
    /**
     * What is done with a struct while it is valid: until this returns or throws.
     *
     * @param <S> the kind of struct
     * @param <E> what it may throw, of checked exceptions too
     */
    @FunctionalInterface
    public interface Block<S extends CStruct, E extends Throwable> {
        /** Passes the struct on. */
        void accept(S struct) throws E;
    }

    /**
     * What is done with the struct of an array and the one of its schema while they are valid: until this returns or
     * throws.
     *
     * @param <S> the kind of the array's struct
     * @param <E> what it may throw, of checked exceptions too
     */
    @FunctionalInterface
    public interface BlockWithSchema<S extends CStruct, E extends Throwable> {
        /** Passes the structs on. */
        void accept(S array, CSchemaStruct schema) throws E;
    }

    private final int byteSize;
    private final boolean foreign;
    private long address;
    /** How many blocks use the memory now. */
    private int uses;

    private boolean closing;

    /** Zeroed memory. */
    CStruct(int byteSize) {
        this.byteSize = byteSize;
        this.foreign = false;
        this.address = CHeap.allocate(byteSize);
        RawMemory.zeroLongs(address, byteSize);
    }

    /** Memory of somebody else. */
    CStruct(int byteSize, long address) {
        this.byteSize = byteSize;
        this.foreign = true;
        this.address = address;
    }

    /** Memory for an {@code ArrowSchema}. */
    public static CSchemaStruct schema() {
        Requirements.requireForeignMemory("CStruct.schema");
        return new CSchemaStruct();
    }

    /** Memory for an {@code ArrowArray}. */
    public static CArrayStruct array() {
        Requirements.requireForeignMemory("CStruct.array");
        return new CArrayStruct();
    }

    /** Memory for an {@code ArrowDeviceArray}. */
    public static CDeviceArrayStruct deviceArray() {
        Requirements.requireForeignMemory("CStruct.deviceArray");
        return new CDeviceArrayStruct();
    }

    /** Memory for an {@code ArrowArrayStream}. */
    public static CArrayStreamStruct arrayStream() {
        Requirements.requireForeignMemory("CStruct.arrayStream");
        return new CArrayStreamStruct();
    }

    /** Memory for an {@code ArrowDeviceArrayStream}. */
    public static CDeviceArrayStreamStruct deviceArrayStream() {
        Requirements.requireForeignMemory("CStruct.deviceArrayStream");
        return new CDeviceArrayStreamStruct();
    }

    /**
     * The address of the struct, to pass to a foreign function.
     *
     * @throws IllegalStateException after {@link #close()}, or after the block that the struct was made for
     */
    public final long getAddress() {
        long known = address;
        if (known == 0) {
            throw freed();
        }
        return known;
    }

    /** The name of a Python capsule with such a struct. */
    public abstract String getCapsuleName();

    /**
     * Whether the struct has a content, that is, its {@code release} is not NULL.
     *
     * @throws IllegalStateException as {@link #getAddress}
     */
    public final boolean isLive() {
        return release(getAddress()) != 0;
    }

    /**
     * Releases the content if there is one, and frees the memory; within a block that uses the struct, at its end.
     * Idempotent.
     */
    @Override
    public final void close() {
        if (foreign || address == 0) {
            return;
        }
        if (uses > 0) {
            closing = true;
            return;
        }
        releaseContent();
        long struct = address;
        address = 0;
        CHeap.free(struct, byteSize);
    }

    /** Releases the content if there is one, and leaves the struct marked released; of a closed struct there is none. */
    final void releaseContent() {
        if (address == 0) {
            return;
        }
        long callback = release(address);
        if (callback != 0) {
            Callbacks.release(callback, address);
            markReleased(address);
        }
    }

    /** The size of the memory in bytes. */
    final long getByteSize() {
        return byteSize;
    }

    /** Keeps the memory until {@link #endUse()}, and returns its address. */
    final long beginUse() {
        long known = getAddress();
        uses++;
        return known;
    }

    final void endUse() {
        uses--;
        if (closing && uses == 0) {
            close();
        }
    }

    /** {@code release} of the struct at an address. */
    abstract long release(long struct);

    abstract void markReleased(long struct);

    private static IllegalStateException freed() {
        return new IllegalStateException(
                "address: the struct's memory has been freed; a struct lives until it is closed, that of a block until the"
                        + " block ends");
    }
}
