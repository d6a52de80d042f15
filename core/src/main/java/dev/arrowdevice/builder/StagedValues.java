package dev.arrowdevice.builder;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of up to eight bytes, a single append of which must cost next to nothing: they and their nulls are staged in a
 * small block on the heap and go to memory block by block. (One store to an array is some times cheaper than one to
 * checked native memory.) The block keeps the bits of each value in a long, whatever its width: so all widths share one
 * code, and are narrowed when the block is moved.
 */
final class StagedValues {
    /** The number of values in a block. */
    static final int BLOCK = 512;

    /** That in the first one, since many arrays need no more. Nulls of all blocks but the last fill whole bytes. */
    private static final int FIRST_BLOCK = 64;

    private static final long[] NO_BLOCK = {};
    private static final byte[] NO_NULLS = {};

    private final BuildMemory memory;
    private final FixedValues values;
    private long[] block = NO_BLOCK;

    /** The number of values in the block, which come after those in memory. */
    private int staged;

    /** The validity of the block, all bits of which are set where nothing is null. */
    private byte[] stagedValidity = NO_NULLS;

    private int stagedNulls;

    StagedValues(ArrowType type, BuildMemory memory) {
        this.memory = memory;
        this.values = new FixedValues(type, memory);
    }

    int width() {
        return values.width;
    }

    long length() {
        return values.length() + staged;
    }

    /** Appends a value, given as bits of which those above its width are ignored. */
    void add(long bits) {
        int at = staged;
        if (at == block.length) {
            at = makeRoom();
        }
        block[at] = bits;
        staged = at + 1;
    }

    void addNull() {
        add(0);
        if (stagedValidity.length == 0) {
            stagedValidity = new byte[BLOCK / 8];
            Arrays.fill(stagedValidity, (byte) -1);
        }
        int at = staged - 1;
        stagedValidity[at >> 3] &= (byte) ~(1 << (at & 7));
        stagedNulls++;
    }

    /** The values in memory, all that have been appended, to which more can be added there. */
    FixedValues inMemory() {
        flush();
        return values;
    }

    void reserve(long elements) {
        values.roomFor(elements - values.length());
    }

    /** The index in the block of the next value, when the block has no room: makes some. */
    private int makeRoom() {
        memory.requireOpen("append");
        flush();
        if (block.length < BLOCK) {
            block = new long[block.length == 0 ? FIRST_BLOCK : BLOCK];
        }
        return 0;
    }

    /** Moves what is staged to memory. */
    private void flush() {
        int count = staged;
        if (count > 0) {
            put(values.roomFor(count), values.end(), count);
            values.added(count, stagedValidity, stagedNulls);
            if (stagedNulls > 0) {
                Arrays.fill(stagedValidity, (byte) -1);
                stagedNulls = 0;
            }
            staged = 0;
        }
    }

    private void put(HostMemory target, long at, int count) {
        switch (values.width) {
            case 1 -> {
                byte[] narrow = memory.scratch(count);
                for (int i = 0; i < count; i++) {
                    narrow[i] = (byte) block[i];
                }
                target.put(at, narrow, 0, count);
            }
            case 2 -> {
                short[] narrow = memory.shortScratch();
                for (int i = 0; i < count; i++) {
                    narrow[i] = (short) block[i];
                }
                target.put(at, narrow, 0, count);
            }
            case 4 -> {
                int[] narrow = memory.intScratch();
                for (int i = 0; i < count; i++) {
                    narrow[i] = (int) block[i];
                }
                target.put(at, narrow, 0, count);
            }
            default -> target.put(at, block, 0, count);
        }
    }

    long nullCount() {
        return values.nullCount() + stagedNulls;
    }

    /** The buffers of the array. */
    @Nullable
    DeviceBuffer[] finish() {
        flush();
        return values.finish();
    }

    void reset() {
        values.reset();
        block = NO_BLOCK;
        staged = 0;
        stagedValidity = NO_NULLS;
        stagedNulls = 0;
    }
}
