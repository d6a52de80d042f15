package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Base of the builders of numbers, whose single appends must cost next to nothing: values and their nulls are staged in
 * a small block on the heap, which a subclass keeps in an array of its own type, and go to memory block by block. (One
 * store to an array is some times cheaper than one to checked native memory.)
 *
 * <p>{@link #length} counts the values in memory, {@link #staged} those in the block, which come after them.
 */
abstract class StagedBuilder extends FixedWidthBuilder {
    /** The number of values in a block. */
    static final int BLOCK = 512;

    private static final byte[] NO_NULLS = {};

    /** The validity of the block, all bits of which are set where nothing is null. */
    private byte[] stagedValidity = NO_NULLS;

    private int stagedNulls;

    StagedBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
    }

    /** The size of the block: {@link #BLOCK}, or 0 before the first value and after the last. */
    abstract int blockSize();

    /** Makes the block. */
    abstract void allocateBlock();

    /** Forgets the block. */
    abstract void dropBlock();

    /** Writes a zero at an index of the block. */
    abstract void stageZero(int at);

    /** Copies the first values of the block to memory from an element on. */
    abstract void putBlock(long index, int count);

    /** The index in the block of the next value, when the block has no room: makes some. */
    final int makeRoom() {
        memory.requireOpen("append");
        if (blockSize() == 0) {
            allocateBlock();
        } else {
            flush();
        }
        return 0;
    }

    /** Moves what is staged to memory. */
    final void flush() {
        int count = staged;
        if (count == 0) {
            return;
        }
        if (length + count > capacity) {
            grow(length + count);
        }
        putBlock(length, count);
        if (stagedNulls > 0) {
            validity.setNulls(length, stagedValidity, count, stagedNulls, capacity);
            Arrays.fill(stagedValidity, (byte) -1);
            stagedNulls = 0;
        }
        staged = 0;
        length += count;
    }

    @Override
    final void putNull() {
        int at = staged;
        if (at == blockSize()) {
            at = makeRoom();
        }
        if (stagedValidity.length == 0) {
            stagedValidity = new byte[BLOCK / 8];
            Arrays.fill(stagedValidity, (byte) -1);
        }
        stageZero(at);
        stagedValidity[at >> 3] &= (byte) ~(1 << (at & 7));
        stagedNulls++;
        staged = at + 1;
    }

    @Override
    final void appendEmpty() {
        int at = staged;
        if (at == blockSize()) {
            at = makeRoom();
        }
        stageZero(at);
        staged = at + 1;
    }

    @Override
    final boolean allowsBulk(int count, boolean @Nullable [] valid) {
        flush();
        return super.allowsBulk(count, valid);
    }

    @Override
    final ArrayData build() {
        flush();
        return super.build();
    }

    @Override
    final void reset() {
        super.reset();
        dropBlock();
        stagedValidity = NO_NULLS;
        stagedNulls = 0;
    }
}
