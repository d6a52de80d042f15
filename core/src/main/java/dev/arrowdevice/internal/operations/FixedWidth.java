package dev.arrowdevice.internal.operations;

import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;

/** Selected values of a fixed number of bytes. A missing value becomes zeros. */
final class FixedWidth {
    private FixedWidth() {}

    /** The memory of a buffer of an array from its first element on. */
    static HostMemory from(ArrayData array, int buffer, long width) {
        HostMemory memory = ArrayBuffers.memory(array.buffer(buffer));
        if (array.getOffset() == 0) {
            return memory;
        }
        long first = Math.min(Math.multiplyExact(array.getOffset(), width), memory.getByteSize());
        return memory.slice(first, memory.getByteSize() - first);
    }

    /** The power of two that a width is. */
    static int shiftOf(int width) {
        return Integer.numberOfTrailingZeros(width);
    }

    /** A buffer of the selected values. */
    static DeviceBuffer gather(HostMemory from, int width, Selection selection, Output output) {
        DeviceBuffer buffer = output.allocate(Math.multiplyExact(selection.length(), (long) width));
        HostMemory to = buffer.memory();
        Cursor cursor = selection.cursor();
        switch (width) {
            case 0:
                selection.check();
                break;
            case 1:
                bytes(from, cursor, to);
                break;
            case 2:
                shorts(from, cursor, to);
                break;
            case 4:
                ints(from, cursor, to);
                break;
            case 8:
                longs(from, cursor, to);
                break;
            case 16:
                pairs(from, cursor, to);
                break;
            default:
                blocks(from, cursor, to, width);
        }
        return buffer;
    }

    private static void bytes(HostMemory from, Cursor cursor, HostMemory to) {
        byte[] block = new byte[Cursor.CHUNK];
        long[] positions = cursor.positions;
        for (long at = 0; cursor.next(); at += cursor.length) {
            if (cursor.isRun()) {
                from.copyTo(cursor.start, to, at, cursor.length);
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long position = positions[i];
                block[i] = position < 0 ? 0 : from.getByte(position);
            }
            to.put(at, block, 0, count);
        }
    }

    private static void shorts(HostMemory from, Cursor cursor, HostMemory to) {
        short[] block = new short[Cursor.CHUNK];
        long[] positions = cursor.positions;
        for (long at = 0; cursor.next(); at += cursor.length) {
            if (cursor.isRun()) {
                from.copyTo(cursor.start << 1, to, at << 1, cursor.length << 1);
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long position = positions[i];
                block[i] = position < 0 ? 0 : from.getShort(position << 1);
            }
            to.put(at << 1, block, 0, count);
        }
    }

    private static void ints(HostMemory from, Cursor cursor, HostMemory to) {
        int[] block = new int[Cursor.CHUNK];
        long[] positions = cursor.positions;
        for (long at = 0; cursor.next(); at += cursor.length) {
            if (cursor.isRun()) {
                from.copyTo(cursor.start << 2, to, at << 2, cursor.length << 2);
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long position = positions[i];
                block[i] = position < 0 ? 0 : from.getInt(position << 2);
            }
            to.put(at << 2, block, 0, count);
        }
    }

    private static void longs(HostMemory from, Cursor cursor, HostMemory to) {
        long[] block = new long[Cursor.CHUNK];
        long[] positions = cursor.positions;
        for (long at = 0; cursor.next(); at += cursor.length) {
            if (cursor.isRun()) {
                from.copyTo(cursor.start << 3, to, at << 3, cursor.length << 3);
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long position = positions[i];
                block[i] = position < 0 ? 0 : from.getLong(position << 3);
            }
            to.put(at << 3, block, 0, count);
        }
    }

    /** Values of 16 bytes, such as decimals and views. */
    private static void pairs(HostMemory from, Cursor cursor, HostMemory to) {
        long[] block = new long[2 * Cursor.CHUNK];
        long[] positions = cursor.positions;
        for (long at = 0; cursor.next(); at += cursor.length) {
            if (cursor.isRun()) {
                from.copyTo(cursor.start << 4, to, at << 4, cursor.length << 4);
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long position = positions[i];
                block[2 * i] = position < 0 ? 0 : from.getLong(position << 4);
                block[2 * i + 1] = position < 0 ? 0 : from.getLong((position << 4) + 8);
            }
            to.put(at << 4, block, 0, 2 * count);
        }
    }

    private static void blocks(HostMemory from, Cursor cursor, HostMemory to, long width) {
        long[] positions = cursor.positions;
        for (long at = 0; cursor.next(); at += cursor.length) {
            if (cursor.isRun()) {
                from.copyTo(cursor.start * width, to, at * width, cursor.length * width);
                continue;
            }
            int count = cursor.count;
            for (int i = 0; i < count; i++) {
                long target = (at + i) * width;
                if (positions[i] < 0) {
                    to.fill(target, width, (byte) 0);
                } else {
                    from.copyTo(positions[i] * width, to, target, width);
                }
            }
        }
    }
}
