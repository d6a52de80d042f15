package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.exchange.ArrayExports;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.spi.Verb;

/**
 * The memory of one C struct, to pass to foreign functions that fill the struct or take its content. It begins zeroed,
 * which means released.
 *
 * <p>The struct's memory and its content are two things. Export and import move the content; the memory remains the
 * caller's. {@link #close()} releases the content if nothing took it, and frees the memory. A struct of an
 * {@code …At(address)} method refers to foreign memory; closing it does nothing.
 *
 * <p>Only the {@code …At(address)} methods make a struct of a bare address. They can't check that there is such a struct
 * at the address; with a wrong address, this process reads and writes memory that belongs to something else. They are
 * for code that receives the address of a struct from foreign code. They are also for exports to a consumer that takes an
 * array without marking the struct released: one that copies the struct, or moves only its children.
 * {@link ArrowExport} with a block would not notice that. The memory must outlive its use. A NULL address is an
 * {@link IllegalArgumentException}.
 *
 * <p>Most programs need not make one: {@link ArrowExport} and {@link ArrowImport} pass structs of their own to a block.
 * All methods that make one throw {@link UnsupportedOperationException} on Java before 22 and without native access. Not for concurrent use.
 */
public abstract sealed class CStruct implements AutoCloseable
        permits CSchemaStruct, CArrayStruct, CDeviceArrayStruct, CArrayStreamStruct, CDeviceArrayStreamStruct {
    /**
     * Uses a struct. The struct is valid until this returns or throws.
     *
     * @param <S> the kind of struct
     * @param <E> what the block may throw, also checked exceptions
     */
    @FunctionalInterface
    public interface Block<S extends CStruct, E extends Throwable> {
        /** Uses the struct. */
        void accept(S struct) throws E;
    }

    /**
     * Uses the struct of an array and the struct of its schema. They are valid until this returns or throws.
     *
     * @param <S> the kind of the array's struct
     * @param <E> what the block may throw, also checked exceptions
     */
    @FunctionalInterface
    public interface BlockWithSchema<S extends CStruct, E extends Throwable> {
        /** Uses the structs. */
        void accept(S array, CSchemaStruct schema) throws E;
    }

    private final int byteSize;
    private final boolean foreign;
    private long address;
    /** The number of blocks that use the memory now. */
    private int uses;

    private boolean closing;

    /** Allocates zeroed memory. */
    CStruct(int byteSize) {
        this.byteSize = byteSize;
        this.foreign = false;
        this.address = CHeap.allocate(byteSize);
        RawMemory.zeroLongs(address, byteSize);
    }

    /** Refers to foreign memory. */
    CStruct(int byteSize, long address) {
        this.byteSize = byteSize;
        this.foreign = true;
        this.address = address;
    }

    /** Memory for an {@code ArrowSchema}. */
    public static CSchemaStruct schema() {
        Requirements.requireNativeAccess("CStruct.schema");
        return new CSchemaStruct();
    }

    /** Memory for an {@code ArrowArray}. */
    public static CArrayStruct array() {
        Requirements.requireNativeAccess("CStruct.array");
        return new CArrayStruct();
    }

    /** Memory for an {@code ArrowDeviceArray}. */
    public static CDeviceArrayStruct deviceArray() {
        Requirements.requireNativeAccess("CStruct.deviceArray");
        return new CDeviceArrayStruct();
    }

    /** Memory for an {@code ArrowArrayStream}. */
    public static CArrayStreamStruct arrayStream() {
        Requirements.requireNativeAccess("CStruct.arrayStream");
        return new CArrayStreamStruct();
    }

    /** Memory for an {@code ArrowDeviceArrayStream}. */
    public static CDeviceArrayStreamStruct deviceArrayStream() {
        Requirements.requireNativeAccess("CStruct.deviceArrayStream");
        return new CDeviceArrayStreamStruct();
    }

    /** The {@code ArrowSchema} at an address in foreign memory. */
    @DelicateArrowApi
    public static CSchemaStruct schemaAt(long address) {
        Requirements.requireAddress("CStruct.schemaAt", "address", address);
        return new CSchemaStruct(address);
    }

    /** The {@code ArrowArray} at an address in foreign memory. */
    @DelicateArrowApi
    public static CArrayStruct arrayAt(long address) {
        Requirements.requireAddress("CStruct.arrayAt", "address", address);
        return new CArrayStruct(address);
    }

    /** The {@code ArrowDeviceArray} at an address in foreign memory. */
    @DelicateArrowApi
    public static CDeviceArrayStruct deviceArrayAt(long address) {
        Requirements.requireAddress("CStruct.deviceArrayAt", "address", address);
        return new CDeviceArrayStruct(address);
    }

    /** The {@code ArrowArrayStream} at an address in foreign memory. */
    @DelicateArrowApi
    public static CArrayStreamStruct arrayStreamAt(long address) {
        Requirements.requireAddress("CStruct.arrayStreamAt", "address", address);
        return new CArrayStreamStruct(address);
    }

    /** The {@code ArrowDeviceArrayStream} at an address in foreign memory. */
    @DelicateArrowApi
    public static CDeviceArrayStreamStruct deviceArrayStreamAt(long address) {
        Requirements.requireAddress("CStruct.deviceArrayStreamAt", "address", address);
        return new CDeviceArrayStreamStruct(address);
    }

    /**
     * The address of the struct, to pass to a foreign function.
     *
     * @throws IllegalStateException after {@link #close()}, or after the block that got the struct
     */
    public final long getAddress() {
        long known = address;
        if (known == 0) {
            throw freed();
        }
        return known;
    }

    /** The name of a Python capsule that contains such a struct. */
    public abstract String getCapsuleName();

    /**
     * Whether the struct has content, that is, its {@code release} is not NULL.
     *
     * @throws IllegalStateException as {@link #getAddress}
     */
    public final boolean isLive() {
        return release(getAddress()) != 0;
    }

    /**
     * Releases the content if there is any, and frees the memory. During a block that uses the struct, this takes
     * effect at the end of the block. Idempotent.
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

    /** Releases the content if there is any, and marks the struct released. Does nothing to a closed struct. */
    final void releaseContent() {
        if (address == 0) {
            return;
        }
        long callback = release(address);
        if (callback != 0) {
            ForeignCallbacks.release(callback, address);
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

    /**
     * The address, for an export of an array. Refuses memory of our own with an export that no consumer took, because
     * overwriting would lose it.
     */
    final long addressFor(Verb verb) {
        long known = getAddress();
        if (!foreign && ArrayExports.isOutstanding(known)) {
            throw new IllegalStateException(
                    verb + ": the struct still contains an exported array that no consumer took; release it first");
        }
        return known;
    }

    /** {@code release} of the struct at an address. */
    abstract long release(long struct);

    abstract void markReleased(long struct);

    private static IllegalStateException freed() {
        return new IllegalStateException(
                "address: the struct's memory has been freed; a struct lives until it is closed, and a block's struct until the"
                        + " block ends");
    }
}
