package dev.arrowdevice.internal.operations;

import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins strings, binaries and lists: their offsets, each moved by what the parts before it have. */
final class RangeConcat {
    private static final int BLOCK = 1024;

    private final Concat concat;
    private final List<ArrayData> parts;
    private final long length;
    private final boolean wide;

    /** The range of bytes or elements that each part refers to. */
    private final long[] firsts;

    private final long[] ends;

    RangeConcat(Concat concat, List<ArrayData> parts, long length) {
        this.concat = concat;
        this.parts = parts;
        this.length = length;
        this.wide = Gather.hasWideOffsets(parts.get(0).getType().storageType());
        this.firsts = new long[parts.size()];
        this.ends = new long[parts.size()];
    }

    /** The bytes of an offset. */
    int width() {
        return wide ? Long.BYTES : Integer.BYTES;
    }

    private Offsets offsetsOf(ArrayData part, int buffer) {
        return new Offsets(FixedWidth.from(part, buffer, width()), wide);
    }

    /** A buffer of length + 1 offsets. */
    DeviceBuffer offsets() {
        DeviceBuffer buffer = concat.output.allocate(Math.multiplyExact(length + 1, width()));
        HostMemory to = buffer.memory();
        long at = 0;
        long total = 0;
        put(to, 0, 0);
        for (int i = 0; i < firsts.length; i++) {
            ArrayData part = parts.get(i);
            if (part.getLength() == 0) {
                continue;
            }
            Offsets from = offsetsOf(part, 1);
            firsts[i] = from.get(0);
            ends[i] = from.get(part.getLength());
            long before = total;
            total += ends[i] - firsts[i];
            requireRoom(total);
            moveOffsets(FixedWidth.from(part, 1, width()), part.getLength(), before - firsts[i], to, at + 1);
            at += part.getLength();
        }
        return buffer;
    }

    /** Copies the offsets behind the first one, each plus a number, a block at a time. */
    private void moveOffsets(HostMemory from, long count, long plus, HostMemory to, long target) {
        long[] wides = new long[wide ? BLOCK : 0];
        int[] narrows = new int[wide ? 0 : BLOCK];
        for (long done = 0; done < count; done += BLOCK) {
            int size = (int) Math.min(BLOCK, count - done);
            if (wide) {
                from.get((done + 1) << 3, wides, 0, size);
                for (int i = 0; i < size; i++) {
                    wides[i] += plus;
                }
                to.put((target + done) << 3, wides, 0, size);
            } else {
                from.get((done + 1) << 2, narrows, 0, size);
                for (int i = 0; i < size; i++) {
                    narrows[i] += (int) plus;
                }
                to.put((target + done) << 2, narrows, 0, size);
            }
        }
    }

    /**
     * The two buffers of list views, which refer to any elements, in any order. Null and empty views refer to the
     * first one.
     */
    DeviceBuffer[] views() {
        DeviceBuffer newStarts = concat.output.allocate(Math.multiplyExact(length, (long) width()));
        DeviceBuffer newSizes = concat.output.allocate(Math.multiplyExact(length, (long) width()));
        long at = 0;
        long before = 0;
        for (int i = 0; i < firsts.length; i++) {
            ArrayData part = parts.get(i);
            Offsets starts = offsetsOf(part, 1);
            Offsets sizes = offsetsOf(part, 2);
            BitSource validity = Gather.validityOf(part);
            findViewed(i, starts, sizes, validity);
            for (long k = 0; k < part.getLength(); k++) {
                boolean viewed = isViewed(sizes, validity, k);
                put(newStarts.memory(), at, viewed ? starts.get(k) - firsts[i] + before : 0);
                put(newSizes.memory(), at++, viewed ? sizes.get(k) : 0);
            }
            before += ends[i] - firsts[i];
            requireRoom(before);
        }
        return new DeviceBuffer[] {newStarts, newSizes};
    }

    /** Finds the range that the views of a part refer to. */
    private void findViewed(int part, Offsets starts, Offsets sizes, @Nullable BitSource validity) {
        long first = Long.MAX_VALUE;
        long end = 0;
        for (long i = 0; i < parts.get(part).getLength(); i++) {
            if (isViewed(sizes, validity, i)) {
                first = Math.min(first, starts.get(i));
                end = Math.max(end, starts.get(i) + sizes.get(i));
            }
        }
        firsts[part] = Math.min(first, end);
        ends[part] = end;
    }

    private static boolean isViewed(Offsets sizes, @Nullable BitSource validity, long view) {
        return sizes.get(view) > 0 && (validity == null || validity.bit(view) != 0);
    }

    /** A buffer of the bytes of all parts. */
    DeviceBuffer bytes() {
        long total = 0;
        for (int i = 0; i < firsts.length; i++) {
            total += ends[i] - firsts[i];
        }
        DeviceBuffer buffer = concat.output.allocate(total);
        long at = 0;
        for (int i = 0; i < firsts.length; i++) {
            long size = ends[i] - firsts[i];
            if (size > 0) {
                ArrayBuffers.memory(parts.get(i).buffer(2)).copyTo(firsts[i], buffer.memory(), at, size);
                at += size;
            }
        }
        return buffer;
    }

    /** The elements that each part refers to. */
    List<ArrayData> elements() {
        List<ArrayData> elements = new ArrayList<>();
        for (int i = 0; i < firsts.length; i++) {
            elements.add(parts.get(i).child(0).slice(firsts[i], ends[i] - firsts[i]));
        }
        return elements;
    }

    private void requireRoom(long total) {
        if (!wide && total > Integer.MAX_VALUE) {
            throw VariableWidth.tooMuch(concat.operation);
        }
    }

    private void put(HostMemory to, long index, long value) {
        if (wide) {
            to.putLong(index << 3, value);
        } else {
            to.putInt(index << 2, (int) value);
        }
    }
}
