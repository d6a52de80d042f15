package dev.arrowdevice.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * One array of a tree, for everything that uses its memory: readers, planners of copies, validators. It checks nothing.
 *
 * <p>A position counts elements from the beginning of the buffers. The first element of the array is at {@link #start}.
 */
public final class ArrayBuffers {
    /** The result of {@link #childElements} for children that offsets, runs or nothing refer to. */
    public static final long ADDRESSED = -1;

    private final ArrayData array;
    private final ArrowType storage;
    private final @Nullable BorrowScope scope;

    public ArrayBuffers(ArrayData array) {
        this(array, null);
    }

    /** With a scope, the memory can be used only within the scope. */
    ArrayBuffers(ArrayData array, @Nullable BorrowScope scope) {
        this.array = array;
        this.storage = array.getType().storageType();
        this.scope = scope;
    }

    /** The memory of a buffer, which is empty if the buffer is absent. */
    public static HostMemory memory(@Nullable DeviceBuffer buffer) {
        return buffer == null ? HostMemory.EMPTY : buffer.memory();
    }

    /** The type of the stored values: for an extension, its storage type. */
    public ArrowType type() {
        return storage;
    }

    /** The position of the first element. */
    public long start() {
        return array.getOffset();
    }

    /** The position after the last element. */
    public long end() {
        return array.getOffset() + array.getLength();
    }

    /** The memory of a buffer, which is empty if the buffer is absent. */
    public HostMemory memory(int index) {
        HostMemory memory = memory(array.buffer(index));
        return scope == null ? memory : scope.bind(memory);
    }

    /** The validity bitmap, or null if there is none and all elements are valid. */
    public @Nullable HostMemory validity() {
        return array.getValidity() == null ? null : memory(0);
    }

    /** The offsets of lists, strings and binaries, or of a dense union. */
    public Offsets offsets() {
        return new Offsets(memory(1), hasWideOffsets());
    }

    /** The sizes of a list view. */
    public Offsets sizes() {
        return new Offsets(memory(2), hasWideOffsets());
    }

    /** The run ends, or dictionary indices, of a type. */
    public Integers integers(TypeId type) {
        return new Integers(memory(1), type);
    }

    private boolean hasWideOffsets() {
        return storage.layout().buffers().get(1) == BufferKind.OFFSETS64;
    }

    /**
     * Values of a fixed number of bytes, from the first element on. Adding the offset to each index instead makes a
     * loop several times slower: the JIT compiler moves the check of the bounds out of the loop only if the index is
     * multiplied by a constant and nothing is added.
     */
    HostMemory values() {
        HostMemory memory = memory(1);
        if (array.getOffset() == 0) {
            return memory;
        }
        long first = Math.min(array.getOffset() * (storage.layout().bitWidth() / 8), memory.getByteSize());
        return memory.slice(first, memory.getByteSize() - first);
    }

    /** The data buffers of a view type. */
    HostMemory[] variadic() {
        HostMemory[] memories = new HostMemory[array.getBufferCount() - 2];
        for (int i = 0; i < memories.length; i++) {
            memories[i] = memory(i + 2);
        }
        return memories;
    }

    /**
     * The number of elements of each child for one element of this array, for structs, sparse unions and fixed-size
     * lists. For other types it is {@link #ADDRESSED}.
     */
    public long childElements() {
        switch (storage.id()) {
            case STRUCT:
            case SPARSE_UNION:
                return 1;
            case FIXED_SIZE_LIST:
                return ((FixedSizeListType) storage).listSize();
            default:
                return ADDRESSED;
        }
    }

    /**
     * The part of a child that belongs to a range of positions. If the child is {@linkplain #ADDRESSED addressed}, all
     * of it.
     */
    public ArrayData child(int index, long position, long count) {
        ArrayData child = array.child(index);
        long elements = childElements();
        return elements == ADDRESSED ? child : child.slice(position * elements, count * elements);
    }
}
