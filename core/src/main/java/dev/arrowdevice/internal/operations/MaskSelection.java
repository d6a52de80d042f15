package dev.arrowdevice.internal.operations;

import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The elements whose bit in a mask is set and not null. */
final class MaskSelection extends Selection {
    /** A mask that keeps less than one element of this many keeps few that follow each other. */
    private static final int SPARSE = 8;

    private final BitSource mask;
    private final @Nullable BitSource validity;
    private final long rows;

    private MaskSelection(BitSource mask, @Nullable BitSource validity, long rows) {
        super(count(mask, validity, rows), false);
        this.mask = mask;
        this.validity = validity;
        this.rows = rows;
    }

    /** @param mask an array of booleans */
    static MaskSelection of(ArrayData mask) {
        BitSource bits = new BitSource(ArrayBuffers.memory(mask.buffer(1)), mask.getOffset());
        return new MaskSelection(bits, Gather.validityOf(mask), mask.getLength());
    }

    /**
     * The rows for which a predicate is true. It is asked once for each row.
     *
     * @param scratch owns the mask as long as the selection is used
     */
    static MaskSelection of(LongPredicate predicate, long rows, Output scratch) {
        HostMemory mask = scratch.allocate(Bits.byteSize(rows)).memory();
        for (long row = 0; row < rows; row += 64) {
            int size = (int) Math.min(64, rows - row);
            long word = 0;
            for (int i = 0; i < size; i++) {
                word |= predicate.test(row + i) ? 1L << i : 0;
            }
            mask.putLong(row >> 3, BitSource.order(word));
        }
        return new MaskSelection(new BitSource(mask, 0), null, rows);
    }

    private static long count(BitSource mask, @Nullable BitSource validity, long rows) {
        long count = 0;
        for (long row = 0; row < rows; row += 64) {
            count += Long.bitCount(word(mask, validity, row, rows));
        }
        return count;
    }

    private static long word(BitSource mask, @Nullable BitSource validity, long row, long rows) {
        int size = (int) Math.min(64, rows - row);
        long word = mask.word(row, size);
        return validity == null || word == 0 ? word : word & validity.word(row, size);
    }

    @Override
    boolean isScattered() {
        return length() < rows / SPARSE;
    }

    @Override
    Cursor cursor() {
        return new Rows();
    }

    private final class Rows extends Cursor {
        private long row;

        @Override
        boolean next() {
            int found = 0;
            while (row < rows) {
                long word = word(mask, validity, row, rows);
                if (word == 0) {
                    row += 64;
                } else if (isFull(word)) {
                    return found > 0 ? list(found) : fullWords();
                } else if (found + 64 > CHUNK) {
                    return list(found);
                } else {
                    found = add(word, found);
                    row += 64;
                }
            }
            return list(found);
        }

        private int add(long word, int found) {
            int at = found;
            long rest = word;
            do {
                positions[at++] = row + Long.numberOfTrailingZeros(rest);
                rest &= rest - 1;
            } while (rest != 0);
            return at;
        }

        private boolean fullWords() {
            long first = row;
            do {
                row += 64;
            } while (row < rows && isFull(word(mask, validity, row, rows)));
            return run(first, Math.min(row, rows) - first);
        }

        private boolean isFull(long word) {
            return word == BitSource.mask((int) Math.min(64, rows - row));
        }
    }
}
