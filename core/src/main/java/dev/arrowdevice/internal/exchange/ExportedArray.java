package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.abi.ArrayUpcalls;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.abi.ShutdownReport;
import dev.arrowdevice.internal.memory.ForeignUse;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An exported array tree. It has the reference to the memory until every struct of the tree was released. A consumer
 * may move children out and release them after their parent, so each struct is counted.
 */
final class ExportedArray implements Exported.Array {
    private static final VarHandle UNRELEASED;

    static {
        ShutdownReport.install();
        try {
            UNRELEASED = MethodHandles.lookup().findVarHandle(ExportedArray.class, "unreleased", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReferenceCounted owner;
    private final @Nullable DeviceRuntime device;
    private final boolean isSingle;
    private final long block;
    private final long blockSize;
    private final long id;
    private final @Nullable Throwable allocation = Leaks.allocationStack();
    /** The number of structs of the tree that are not released. */
    private int unreleased;

    /**
     * Registers the tree, and counts the export.
     *
     * @param device where the memory is
     * @param blockSize the size of the structs' memory, in bytes
     * @param structs the number of structs of the tree, with the root
     */
    ExportedArray(ReferenceCounted owner, Device device, long blockSize, int structs) {
        this.owner = owner;
        this.device = ForeignUse.of(device);
        this.blockSize = blockSize;
        this.isSingle = structs == 1;
        this.unreleased = structs;
        this.id = OutstandingExports.ARRAYS.add(this);
        try {
            this.block = OutstandingExports.ARRAY_BLOCKS.allocate(id, blockSize);
        } catch (Throwable e) {
            OutstandingExports.ARRAYS.remove(id);
            throw e;
        }
    }

    /** The {@code private_data} of each struct. */
    long id() {
        return id;
    }

    /** The memory of the structs. */
    long block() {
        return block;
    }

    @Override
    public @Nullable Throwable allocation() {
        return allocation;
    }

    @Override
    public void release(long array) {
        if (CArray.release(array) == 0) {
            return;
        }
        int released = releaseTree(array);
        // No atomic operation for a tree of one struct, and one for all others: a batch of many columns is released at
        // once.
        if (isSingle || (int) UNRELEASED.getAndAdd(this, -released) == released) {
            OutstandingExports.ARRAY_BLOCKS.free(id, blockSize, block);
            OutstandingExports.ARRAYS.remove(id);
            ForeignUse.end(device, owner);
        }
    }

    /**
     * Marks a struct released, with those below it that were not moved away. Returns the number of them that belong to
     * this tree.
     */
    private int releaseTree(long array) {
        int released = 1;
        long count = CArray.childCount(array);
        if (count > 0) {
            long children = CArray.children(array);
            for (long i = 0; i < count; i++) {
                released += releaseInner(RawMemory.getLong(children + 8 * i));
            }
        }
        long dictionary = CArray.dictionary(array);
        if (dictionary != 0) {
            released += releaseInner(dictionary);
        }
        CArray.setRelease(array, 0);
        return released;
    }

    private int releaseInner(long array) {
        if (CArray.release(array) == ArrayUpcalls.RELEASE_ARRAY && CArray.privateData(array) == id) {
            if (CArray.childCount(array) == 0 && CArray.dictionary(array) == 0) {
                CArray.setRelease(array, 0);
                return 1;
            }
            return releaseTree(array);
        }
        ForeignCallbacks.releaseArray(array);
        return 0;
    }
}
