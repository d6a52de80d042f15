package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.Imports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.spi.ReferenceCounted;

/** A foreign array that was moved to a struct in our memory. It is released with the last reference. */
public final class ImportedArray extends ReferenceCounted {
    private final long number;
    private final long struct;

    @SuppressWarnings("this-escape") // The table only keeps the object.
    private ImportedArray() {
        number = Imports.ARRAYS.add(this);
        try {
            struct = Imports.ARRAY_STRUCTS.allocate(number, CDeviceArray.SIZE);
        } catch (Throwable e) {
            Imports.ARRAYS.remove(number);
            throw e;
        }
    }

    /**
     * Moves an array out of a caller's struct: "bitwise copying … then it MUST mark the source structure released by
     * setting the release member … to NULL, but without calling that release callback".
     *
     * @param deviceArray whether the caller's struct is a device array or an array
     */
    public static ImportedArray move(long source, boolean deviceArray) {
        ImportedArray array;
        try {
            array = new ImportedArray();
        } catch (Throwable e) {
            ForeignCallbacks.releaseArray(source);
            throw e;
        }
        RawMemory.copyLongs(source, array.struct, deviceArray ? CDeviceArray.SIZE : CArray.SIZE);
        CArray.setRelease(source, 0);
        return array;
    }

    /** The address of the struct. */
    public long struct() {
        return struct;
    }

    @Override
    protected void free() {
        ForeignCallbacks.releaseArray(struct);
        Imports.ARRAY_STRUCTS.free(number, CDeviceArray.SIZE, struct);
        Imports.ARRAYS.remove(number);
    }
}
