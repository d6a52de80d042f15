package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.Device;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.abi.ArrayUpcalls;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.copying.NullCounts;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.Layout;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * Writes an array as an {@code ArrowArray} tree, whose structs and pointers are in one block of memory. The result is
 * accepted by the strictest consumers: null counts are computed, only a validity buffer may be NULL, and the offset of
 * a struct is pushed down into its fields.
 */
public final class ArrayStructWriter {
    /**
     * The buffer for arrays whose buffers have no bytes: 64 zero bytes, which are also the one offset of an empty
     * array.
     */
    private static final long ZEROS = zeros();

    /** The number of structs of the tree. */
    private int structs;

    /** The size of what the structs' pointers point to, with the structs below the root, in bytes. */
    private long blockSize;

    private boolean hasUnknownNulls;

    private long id;

    private ArrayStructWriter() {}

    /**
     * Fills the struct at an address. If this throws, nothing has been written, and the owner is unchanged.
     *
     * @param ready whether the values are there; if not, unknown null counts stay unknown
     */
    public static void export(ArrayData array, ReferenceCounted owner, long target, boolean ready) {
        ArrayData root = normalize(array);
        ArrayStructWriter writer = new ArrayStructWriter();
        writer.measure(root, 1);
        if (ready && writer.hasUnknownNulls) {
            NullCounts.compute(root, owner, null); // cuDF takes an unknown count for no nulls.
        }
        ExportedArray exported =
                new ExportedArray(owner, array.getDevice(), Math.max(8, writer.blockSize), writer.structs);
        writer.id = exported.id();
        writer.write(root, target, exported.block());
    }

    /**
     * Fills the members of a device array other than the array itself.
     *
     * @param pending completes when the values are there; null if they are there. It belongs to the array's memory
     */
    public static void writeDevice(Device device, @Nullable DeviceEvent pending, long target) {
        // "For device types that do not have an intrinsic notion of a device identifier … -1 as a convention".
        CDeviceArray.setDeviceId(target, device.isCpu() ? -1 : device.id());
        CDeviceArray.setDeviceType(target, device.type());
        CDeviceArray.setSyncEvent(target, pending == null ? 0 : pending.getSyncEvent());
        CDeviceArray.zeroReserved(target);
    }

    /**
     * Moves the offset of a struct without nulls of its own into its fields, because consumers refuse record batches
     * with an offset.
     */
    private static ArrayData normalize(ArrayData root) {
        if (root.getType().storageType().id() != TypeId.STRUCT
                || (root.getValidity() != null && root.getKnownNullCount() != 0)) {
            return root;
        }
        boolean aligned = root.getOffset() == 0;
        for (int i = 0; i < root.getChildCount() && aligned; i++) {
            aligned = root.child(i).getLength() == root.getLength();
        }
        if (aligned) {
            return root;
        }
        ArrayData[] children = new ArrayData[root.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = root.child(i).slice(root.getOffset(), root.getLength());
        }
        return new ArrayData(
                root.getType(), root.getDevice(), root.getLength(), 0, 0, new DeviceBuffer[] {null}, children, null);
    }

    /**
     * Measures a tree. Refuses one that is so deep that no consumer would take it, and that our consumer could not
     * release.
     */
    private void measure(ArrayData node, int depth) {
        if (depth == SchemaBudget.MAX_DEPTH && !isLeaf(node)) {
            throw new IllegalArgumentException(
                    "the array is nested deeper than " + SchemaBudget.MAX_DEPTH + " levels, which consumers refuse");
        }
        measureOwn(node);
        int children = node.getChildCount();
        blockSize += (8L + CArray.SIZE) * children;
        for (int i = 0; i < children; i++) {
            ArrayData child = node.child(i);
            if (isLeaf(child)) {
                measureOwn(child);
            } else {
                measure(child, depth + 1);
            }
        }
        ArrayData dictionary = node.getDictionary();
        if (dictionary != null) {
            blockSize += CArray.SIZE;
            measure(dictionary, depth + 1);
        }
    }

    private void measureOwn(ArrayData node) {
        structs++;
        blockSize += 8L * node.getBufferCount();
        if (node.getType().layout().variadic()) {
            blockSize += 8L + 8L * variadicCount(node);
        }
        hasUnknownNulls |= node.getKnownNullCount() == ArrayData.UNKNOWN_NULL_COUNT;
    }

    /** Leaves are most arrays. They need no recursion, so that the compiler can inline what they do need. */
    private static boolean isLeaf(ArrayData node) {
        return node.getChildCount() == 0 && node.getDictionary() == null;
    }

    private static int variadicCount(ArrayData node) {
        return node.getBufferCount() - node.getType().layout().bufferCount();
    }

    /**
     * Fills a struct and those below it.
     *
     * @param free the address of free memory of the block
     * @return the address of what is left of it
     */
    private long write(ArrayData node, long array, long free) {
        long next = writeOwn(node, array, free);
        int childCount = node.getChildCount();
        if (childCount > 0) {
            long children = next;
            next += 8L * childCount;
            CArray.setChildCount(array, childCount);
            CArray.setChildren(array, children);
            for (int i = 0; i < childCount; i++) {
                ArrayData child = node.child(i);
                long struct = next;
                next += CArray.SIZE;
                RawMemory.putLong(children + 8L * i, struct);
                if (isLeaf(child)) {
                    next = writeOwn(child, struct, next);
                    CArray.setRelease(struct, ArrayUpcalls.RELEASE_ARRAY);
                } else {
                    next = write(child, struct, next);
                }
            }
        }
        ArrayData dictionary = node.getDictionary();
        if (dictionary != null) {
            CArray.setDictionary(array, next);
            next = write(dictionary, next, next + CArray.SIZE);
        }
        CArray.setRelease(array, ArrayUpcalls.RELEASE_ARRAY); // Last, so that no struct is released half-written.
        return next;
    }

    /** Fills a struct as that of a leaf, except for {@code release}. */
    private long writeOwn(ArrayData node, long array, long free) {
        CArray.setLength(array, node.getLength());
        CArray.setNullCount(array, node.getKnownNullCount());
        CArray.setOffset(array, node.getLength() == 0 ? 0 : node.getOffset());
        CArray.setChildCount(array, 0);
        CArray.setChildren(array, 0);
        CArray.setDictionary(array, 0);
        CArray.setPrivateData(array, id);
        return writeBuffers(node, array, free);
    }

    private static long writeBuffers(ArrayData node, long array, long pointers) {
        Layout layout = node.getType().layout();
        int count = node.getBufferCount();
        int first = 0;
        if (count > 0 && layout.hasValidity()) {
            DeviceBuffer validity = node.buffer(0);
            boolean absent = validity == null || node.getKnownNullCount() == 0;
            RawMemory.putLong(pointers, absent ? 0 : validity.getAddress());
            first = 1;
        }
        for (int i = first; i < count; i++) {
            RawMemory.putLong(pointers + 8L * i, pointer(node, layout, i));
        }
        long next = pointers + 8L * count;
        if (layout.variadic()) {
            next = writeSizes(node, layout, next);
        }
        int total = layout.variadic() ? count + 1 : count;
        CArray.setBufferCount(array, total);
        CArray.setBuffers(array, total == 0 ? 0 : pointers);
        return next;
    }

    /**
     * Writes the sizes of the variadic buffers, and a pointer to them in front. They are always in host memory, whatever
     * the device: every implementation reads them on the CPU.
     */
    private static long writeSizes(ArrayData node, Layout layout, long pointer) {
        int variadic = variadicCount(node);
        long sizes = pointer + 8;
        for (int i = 0; i < variadic; i++) {
            DeviceBuffer buffer = node.buffer(layout.bufferCount() + i);
            RawMemory.putLong(sizes + 8L * i, buffer == null ? 0 : buffer.getByteSize());
        }
        RawMemory.putLong(pointer, variadic == 0 ? ZEROS : sizes);
        return sizes + 8L * variadic;
    }

    /** The address of a buffer that is not a validity bitmap. */
    private static long pointer(ArrayData node, Layout layout, int index) {
        DeviceBuffer buffer = node.buffer(index);
        long address = buffer == null ? 0 : buffer.getAddress();
        if (address != 0 && node.getLength() > 0) {
            return address;
        }
        // The pointers of an empty imported array may be invalid, but its one offset must be there and be zero. On a
        // device we have no zeros for it. NULL would be refused by Arrow C++ (for offsets), or taken for CPU memory (by
        // the others).
        boolean cpu = node.getDevice().isCpu();
        boolean unused = cpu && node.getLength() == 0 && index < layout.bufferCount();
        if (address != 0 && !unused) {
            return address;
        }
        return cpu ? ZEROS : 0;
    }

    private static long zeros() {
        long address = (CHeap.allocate(128) + 63) & -64;
        RawMemory.zero(address, 64);
        return address;
    }
}
