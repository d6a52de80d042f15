package dev.arrowdevice.exchange;

import dev.arrowdevice.abi.CArray;
import dev.arrowdevice.abi.CDeviceArray;
import dev.arrowdevice.abi.CHeap;
import dev.arrowdevice.abi.Callbacks;
import dev.arrowdevice.abi.RawMemory;
import dev.arrowdevice.memory.ReferenceCounted;

/** A foreign array that was moved to us: the struct in memory of ours, released when nothing refers to it any more. */
final class ImportedArray extends ReferenceCounted {
    private final long struct;

    private ImportedArray(long struct) {
        this.struct = struct;
        ExchangeCounters.arrayImported();
    }

    /**
     * Moves an array out of a caller's struct: "bitwise copying … then it MUST mark the source structure released by
     * setting the release member … to NULL, but without calling that release callback".
     *
     * @param deviceArray whether the caller's struct is a device array or an array
     */
    static ImportedArray move(long source, boolean deviceArray) {
        long structSize = deviceArray ? CDeviceArray.SIZE : CArray.SIZE;
        long struct;
        try {
            struct = CHeap.allocate(structSize);
        } catch (Throwable e) {
            Callbacks.releaseArray(source);
            throw e;
        }
        RawMemory.copy(source, struct, structSize);
        CArray.setRelease(source, 0);
        return new ImportedArray(struct);
    }

    /** Takes over a struct in memory from {@link #allocate} that a producer has filled. */
    static ImportedArray adopt(long struct) {
        return new ImportedArray(struct);
    }

    /** Memory for a device array (or an array, which is its first part), marked released. */
    static long allocate() {
        long struct = CHeap.allocate(CDeviceArray.SIZE);
        RawMemory.zero(struct, CDeviceArray.SIZE);
        return struct;
    }

    /** The address of the struct. */
    long struct() {
        return struct;
    }

    @Override
    protected void free() {
        Callbacks.releaseArray(struct);
        CHeap.free(struct);
        ExchangeCounters.importReleased();
    }
}
