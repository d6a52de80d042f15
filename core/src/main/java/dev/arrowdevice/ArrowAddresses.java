package dev.arrowdevice;

import dev.arrowdevice.internal.exchange.Requirements;

/**
 * Names C structs that lie in foreign memory, by their addresses: the one place where a bare address becomes a struct of
 * a kind. Nothing checks that there is such a struct at the address; a wrong one reads and writes where it should not.
 *
 * <p>Who needs this: code that is given the address of a struct by foreign code, and exports to consumers that take an
 * array in another way than {@link ArrowExport} with a block can see: that copy the struct without marking it released,
 * or move its children alone.
 *
 * <p>The struct that is made refers to the memory and owns nothing: {@link CStruct#close()} does nothing, and the memory
 * must outlive its use. All methods throw {@link IllegalArgumentException} for a NULL address and
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
}
