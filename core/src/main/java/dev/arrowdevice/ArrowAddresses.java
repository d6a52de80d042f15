package dev.arrowdevice;

import dev.arrowdevice.internal.exchange.Requirements;

/**
 * Makes a {@link CStruct} of the address of a struct in foreign memory. This is the only class that accepts bare
 * addresses. It can't check that there is such a struct at the address; with a wrong address, this process reads and
 * writes memory that belongs to something else.
 *
 * <p>This is for code that receives the address of a struct from foreign code. It is also for exports to a consumer
 * that takes an array without marking the struct released: one that copies the struct, or moves only its children.
 * {@link ArrowExport} with a block would not notice that.
 *
 * <p>The {@link CStruct} refers to the memory and owns nothing: its {@link CStruct#close()} does nothing, and the
 * memory must outlive its use. All methods throw {@link IllegalArgumentException} for a NULL address and
 * {@link UnsupportedOperationException} on Java before 22.
 */
@DelicateArrowApi
public final class ArrowAddresses {
    private ArrowAddresses() {}

    /** The {@code ArrowSchema} at an address. */
    @DelicateArrowApi
    public static CSchemaStruct schema(long address) {
        Requirements.requireAddress("ArrowAddresses.schema", "address", address);
        return new CSchemaStruct(address);
    }

    /** The {@code ArrowArray} at an address. */
    @DelicateArrowApi
    public static CArrayStruct array(long address) {
        Requirements.requireAddress("ArrowAddresses.array", "address", address);
        return new CArrayStruct(address);
    }

    /** The {@code ArrowDeviceArray} at an address. */
    @DelicateArrowApi
    public static CDeviceArrayStruct deviceArray(long address) {
        Requirements.requireAddress("ArrowAddresses.deviceArray", "address", address);
        return new CDeviceArrayStruct(address);
    }

    /** The {@code ArrowArrayStream} at an address. */
    @DelicateArrowApi
    public static CArrayStreamStruct arrayStream(long address) {
        Requirements.requireAddress("ArrowAddresses.arrayStream", "address", address);
        return new CArrayStreamStruct(address);
    }

    /** The {@code ArrowDeviceArrayStream} at an address. */
    @DelicateArrowApi
    public static CDeviceArrayStreamStruct deviceArrayStream(long address) {
        Requirements.requireAddress("ArrowAddresses.deviceArrayStream", "address", address);
        return new CDeviceArrayStreamStruct(address);
    }

    /** The {@code ArrowAsyncDeviceStreamHandler} at an address. */
    @DelicateArrowApi
    public static CAsyncDeviceStreamHandlerStruct asyncDeviceStreamHandler(long address) {
        Requirements.requireAddress("ArrowAddresses.asyncDeviceStreamHandler", "address", address);
        return new CAsyncDeviceStreamHandlerStruct(address);
    }
}
