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
 * One array of a tree as all who look into its memory see it: readers, planners of copies, validators. It checks nothing.
 *
 * <p>A position counts elements from the beginning of the buffers: the first element of the array is at {@link #start}.
 */
public final class ArrayBuffers {
    /** What {@link #childElements} says of children that are not addressed by counting. */
    public static final long ADDRESSED = -1;

    private final ArrayData array;
    private final ArrowType storage;
    private final @Nullable BorrowScope scope;

    public ArrayBuffers(ArrayData array) {
        this(array, null);
    }

    /** Gives memory that can be reached only within a scope, if there is one. */
    ArrayBuffers(ArrayData array, @Nullable BorrowScope scope) {
        this.array = array;
        this.storage = array.getType().storageType();
        this.scope = scope;
    }

    /** The memory of a buffer, which is empty if the buffer is absent. */
    public static HostMemory memory(@Nullable DeviceBuffer buffer) {
        return buffer == null ? HostMemory.EMPTY : buffer.memory();
    }

    /** The type of what is stored: that of an extension's storage. */
    public ArrowType type() {
        return storage;
    }

    /** The position of the first element. */
    public long start() {
        return array.getOffset();
    }

    /** The position behind the last element. */
    public long end() {
        return array.getOffset() + array.getLength();
    }

    /** The memory of a buffer, which is empty if the buffer is absent. */
    public HostMemory memory(int index) {
        HostMemory memory = memory(array.buffer(index));
        return scope == null ? memory : scope.bind(memory);
    }

    /** The validity bitmap; null where there is none, and all elements are valid. */
    public @Nullable HostMemory validity() {
        return array.getValidity() == null ? null : memory(0);
    }

    /** The offsets: of lists, texts and bytes, or of a dense union. */
    public Offsets offsets() {
        return new Offsets(memory(1), hasWideOffsets());
    }

    /** The sizes of a list view. */
    public Offsets sizes() {
        return new Offsets(memory(2), hasWideOffsets());
    }

    /** The run ends of such a child, or dictionary indices of a type. */
    public Integers integers(TypeId type) {
        return new Integers(memory(1), type);
    }

    private boolean hasWideOffsets() {
        return storage.layout().buffers().get(1) == BufferKind.OFFSETS64;
    }

    /**
     * Values of a fixed number of bytes, from the first element on. Adding the offset to each index instead makes a loop
     * several times slower: the JIT moves the check of the bounds out of it only where that is of the index times a constant.
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
     * How many elements of each child belong to one of this array, and so where in the child they are: those of structs,
     * sparse unions and lists of one size. {@link #ADDRESSED} where offsets, runs or nothing say so.
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

    /** The part of a child that belongs to a range of positions; all of it where it is {@linkplain #ADDRESSED addressed}. */
    public ArrayData child(int index, long position, long count) {
        ArrayData child = array.child(index);
        long elements = childElements();
        return elements == ADDRESSED ? child : child.slice(position * elements, count * elements);
    }
}
