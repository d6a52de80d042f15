package dev.arrowdevice.internal.operations;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/**
 * Selected strings, binaries and lists with offsets, in two passes: first the offsets, which say how much there is, then
 * the bytes or elements. A missing value is empty.
 */
final class VariableWidth {
    /** The bytes that are copied for a short value, whatever its size; what is too much is overwritten. */
    private static final int SHORT = 16;

    private final HostMemory from;
    private final boolean wide;
    private final Selection selection;
    private final Output output;

    /** Where each selected value begins, if they are far apart: to find them twice would take longer. 32-bit offsets only. */
    private final @Nullable HostMemory starts;

    private HostMemory made = HostMemory.EMPTY;

    /** The number of bytes or elements of all selected values, once {@link #offsets} ran. */
    long total;

    /**
     * @param from the offsets, from that of the first value on
     * @param scratch owns what is needed until {@link #bytes} returns; null if that is not called
     */
    VariableWidth(HostMemory from, boolean wide, Selection selection, Output output, @Nullable Output scratch) {
        this.from = from;
        this.wide = wide;
        this.selection = selection;
        this.output = output;
        this.starts = scratch == null || wide || !selection.isScattered()
                ? null
                : scratch.allocate(Math.multiplyExact(selection.length(), 4L)).memory();
    }

    /**
     * The first pass: a buffer of offsets.
     *
     * @param operation the call of the user, for messages
     * @throws IllegalArgumentException if 32-bit offsets can't count so much
     */
    DeviceBuffer offsets(String operation) {
        DeviceBuffer buffer =
                output.allocate(Math.multiplyExact(selection.length() + 1, wide ? Long.BYTES : Integer.BYTES));
        made = buffer.memory();
        if (wide) {
            wideOffsets(made);
        } else {
            narrowOffsets(made, operation);
        }
        return buffer;
    }

    private void narrowOffsets(HostMemory to, String operation) {
        int[] block = new int[Cursor.CHUNK];
        int[] begins = new int[Cursor.CHUNK];
        Cursor cursor = selection.cursor();
        long sum = 0;
        to.putInt(0, 0);
        for (long at = 1; cursor.next(); at += cursor.length) {
            for (long done = 0; done < cursor.length; ) {
                int count = (int) Math.min(Cursor.CHUNK, cursor.length - done);
                if (cursor.isRun()) {
                    long first = cursor.start + done;
                    long shift = sum - from.getInt(first << 2);
                    from.get((first + 1) << 2, block, 0, count);
                    sum = block[count - 1] + shift;
                    if (starts != null) {
                        from.get(first << 2, begins, 0, count);
                    }
                    for (int i = 0; i < count; i++) {
                        block[i] += (int) shift;
                    }
                } else {
                    for (int i = 0; i < count; i++) {
                        long at4 = cursor.positions[i] << 2;
                        int begin = at4 < 0 ? 0 : from.getInt(at4);
                        sum += at4 < 0 ? 0 : from.getInt(at4 + 4) - begin;
                        begins[i] = begin;
                        block[i] = (int) sum;
                    }
                }
                if (starts != null) {
                    starts.put((at - 1 + done) << 2, begins, 0, count);
                }
                if (sum > Integer.MAX_VALUE) {
                    throw tooMuch(operation);
                }
                to.put((at + done) << 2, block, 0, count);
                done += count;
            }
        }
        total = sum;
    }

    private void wideOffsets(HostMemory to) {
        long[] block = new long[Cursor.CHUNK];
        Cursor cursor = selection.cursor();
        long sum = 0;
        to.putLong(0, 0);
        for (long at = 1; cursor.next(); at += cursor.length) {
            for (long done = 0; done < cursor.length; ) {
                int count = (int) Math.min(Cursor.CHUNK, cursor.length - done);
                if (cursor.isRun()) {
                    long first = cursor.start + done;
                    long shift = sum - from.getLong(first << 3);
                    from.get((first + 1) << 3, block, 0, count);
                    sum = block[count - 1] + shift;
                    for (int i = 0; i < count; i++) {
                        block[i] += shift;
                    }
                } else {
                    for (int i = 0; i < count; i++) {
                        long at8 = cursor.positions[i] << 3;
                        sum += at8 < 0 ? 0 : from.getLong(at8 + 8) - from.getLong(at8);
                        block[i] = sum;
                    }
                }
                to.put((at + done) << 3, block, 0, count);
                done += count;
            }
        }
        total = sum;
    }

    /** The failure of 32-bit offsets to count so much. */
    static IllegalArgumentException tooMuch(String operation) {
        return new IllegalArgumentException(operation
                + ": the result has more than 2^31 - 1 bytes or elements in all, which 32-bit offsets can't address;"
                + " cast to the large variant of the type first");
    }

    /** The second pass for strings and binaries: a buffer of bytes. */
    DeviceBuffer bytes(HostMemory values) {
        DeviceBuffer buffer = output.allocateWithSlack(total, SHORT);
        HostMemory to = buffer.memory();
        long lastShort = values.getByteSize() - SHORT;
        if (starts != null) {
            taken(starts, values, to, lastShort);
            Output.trim(buffer);
            return buffer;
        }
        Cursor cursor = selection.cursor();
        long at = 0;
        while (cursor.next()) {
            if (cursor.isRun()) {
                long start = offset(cursor.start);
                long size = offset(cursor.start + cursor.length) - start;
                values.copyTo(start, to, at, size);
                at += size;
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long position = cursor.positions[i];
                if (position < 0) {
                    continue;
                }
                long start = offset(position);
                long size = offset(position + 1) - start;
                copy(values, start, to, at, size, lastShort);
                at += size;
            }
        }
        Output.trim(buffer);
        return buffer;
    }

    private void taken(HostMemory begins, HostMemory values, HostMemory to, long lastShort) {
        long at = 0;
        for (long i = 0; i < selection.length(); i++) {
            long start = begins.getInt(i << 2);
            long end = made.getInt((i + 1) << 2);
            copy(values, start, to, at, end - at, lastShort);
            at = end;
        }
    }

    private static void copy(HostMemory values, long start, HostMemory to, long at, long size, long lastShort) {
        if (size <= SHORT && start <= lastShort) {
            to.putLong(at, values.getLong(start));
            to.putLong(at + 8, values.getLong(start + 8));
        } else {
            values.copyTo(start, to, at, size);
        }
    }

    private long offset(long position) {
        return wide ? from.getLong(position << 3) : from.getInt(position << 2);
    }
}
