package dev.arrowdevice.ipc.internal.memory;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** One array of a tree, whose memory the host can read: its buffers as numbers. Positions count from the buffers' beginning. */
public final class Node {
    /** The array. */
    public final ArrayData data;
    /** The type without an extension. */
    public final ArrowType storage;
    /** The position of the first element. */
    public final long start;
    /** The number of elements. */
    public final long length;

    public Node(ArrayData data) {
        this.data = data;
        this.storage = data.getType().storageType();
        this.start = data.getOffset();
        this.length = data.getLength();
    }

    /** The memory of a buffer, empty if it is absent. */
    public HostMemory memory(int index) {
        DeviceBuffer buffer = data.buffer(index);
        return buffer == null ? HostMemory.EMPTY : buffer.memory();
    }

    /** Whether offsets and sizes have 64 bits. */
    public boolean isWide() {
        return storage.layout().buffers().get(1) == BufferKind.OFFSETS64;
    }

    /** A number of the second buffer (offsets, of a union too) or the third one (sizes), at a position. */
    public long number(int buffer, long position) {
        return isWide() ? memory(buffer).getLong(position * 8) : memory(buffer).getInt(position * 4);
    }

    /** The end of a run, for arrays that are run ends. */
    public long runEnd(long index) {
        HostMemory memory = memory(1);
        return switch (storage.id()) {
            case INT16 -> memory.getShort(index * 2);
            case INT32 -> memory.getInt(index * 4);
            default -> memory.getLong(index * 8);
        };
    }

    /** The run, of the second child's values, that a position of a run-end encoded array is in. */
    public static long runAt(Node runEnds, long position) {
        long low = runEnds.start;
        long high = runEnds.start + runEnds.length;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (runEnds.runEnd(middle) > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low == runEnds.start + runEnds.length) {
            throw new IllegalArgumentException("no run ends after position " + position);
        }
        return low - runEnds.start;
    }

    /** The size in bytes of one value of fixed width; 0 for single bits. */
    public int byteWidth() {
        return storage.layout().bitWidth() / 8;
    }

    /** Whether the values are single bits. */
    public boolean isBits() {
        return storage.id() == TypeId.BOOL;
    }

    /** Whether the element at a position is valid by the bitmap. */
    public boolean isValid(long position) {
        return data.getValidity() == null || BitCopy.isSet(memory(0), position);
    }
}
