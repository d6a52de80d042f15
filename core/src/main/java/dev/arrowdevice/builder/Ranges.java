package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ranges of one child that lists and maps consist of. They are written as offsets, as views, or, for a fixed size, not at all. */
final class Ranges {
    final ArrayBuilder child;

    /** The size of each list, or -1 if they differ. */
    final int fixedSize;

    private final ArrayBuilder builder;
    private final Place place;
    private final Validity validity;
    private final int offsetWidth;
    private final boolean views;
    private final OffsetsBuffer offsets;
    private final GrowingBuffer starts;
    private final GrowingBuffer sizes;
    private long length;
    private boolean open;

    /** The number of elements of all ranges so far: the start of the next one. */
    private long end;

    /** @param builder the builder of the lists or maps; the constructor makes the builder of their elements */
    Ranges(ArrayBuilder builder) {
        Field field = builder.getField();
        BuildMemory memory = builder.memory;
        this.builder = builder;
        this.place = builder.place;
        this.child = Builders.of(field.children().get(0), memory, builder);
        this.validity = new Validity(memory);
        List<BufferKind> buffers = field.type().layout().buffers();
        this.offsetWidth = buffers.contains(BufferKind.OFFSETS64) ? 8 : buffers.contains(BufferKind.OFFSETS32) ? 4 : 0;
        this.views = buffers.contains(BufferKind.SIZES32) || buffers.contains(BufferKind.SIZES64);
        this.fixedSize = field.type().storageType() instanceof FixedSizeListType fixed ? fixed.listSize() : -1;
        this.offsets = new OffsetsBuffer(offsetWidth, memory);
        this.starts = new GrowingBuffer(memory, offsetWidth);
        this.sizes = new GrowingBuffer(memory, offsetWidth);
    }

    long length() {
        return length;
    }

    /** Starts a value. Elements that are appended to the child from now on belong to it. */
    void start(String operation) {
        builder.memory.requireOpen(operation);
        settle();
        open = true;
    }

    /** Ends a value. */
    void end(String operation) {
        if (!open) {
            throw new IllegalStateException(
                    place.at("row " + place.rowOf(length)) + operation + ": nothing was started");
        }
        long newEnd = child.settle();
        if (fixedSize >= 0 && newEnd - end != fixedSize) {
            throw place.fail((newEnd - end) + " elements in a list of fixed size " + fixedSize);
        }
        if (offsetWidth == 4 && newEnd > Integer.MAX_VALUE) {
            throw place.fail(
                    "more than 2^31 - 1 elements in all, which 32-bit offsets can't address; choose the large variant");
        }
        reserve(length + 1);
        put(newEnd);
        end = newEnd;
        length++;
        open = false;
    }

    long settle() {
        if (open) {
            throw place.fail("the value was started and not ended");
        }
        long elements = child.settle();
        if (elements != end) {
            throw place.fail((elements - end) + " elements were appended outside of any value");
        }
        return length;
    }

    void addNull() {
        settle();
        builder.memory.requireOpen("append");
        reserve(length + 1);
        validity.makeRoom(length + 1, capacity());
        putWithoutValues();
        validity.setNull(length, capacity());
        length++;
    }

    void addEmpty() {
        settle();
        builder.memory.requireOpen("append");
        reserve(length + 1);
        putWithoutValues();
        length++;
    }

    /** Writes an empty range, or for a list of fixed size one of that size. There is room for it. */
    private void putWithoutValues() {
        for (int i = 0; i < fixedSize; i++) {
            try {
                child.putFiller();
            } catch (Throwable e) {
                if (i > 0) {
                    place.closeHalfway(e);
                }
                throw e;
            }
        }
        end += Math.max(0, fixedSize);
        put(end);
    }

    /** Writes the range from {@link #end} to its own end. There is room for it. */
    private void put(long newEnd) {
        if (views) {
            putNumber(starts.bytes(), end);
            putNumber(sizes.bytes(), newEnd - end);
        } else if (offsetWidth != 0) {
            offsets.put(length, newEnd);
        }
    }

    private void putNumber(HostMemory target, long number) {
        if (offsetWidth == 8) {
            target.putLong(length << 3, number);
        } else {
            target.putInt(length << 2, (int) number);
        }
    }

    private long capacity() {
        if (views) {
            return sizes.capacity() / offsetWidth;
        }
        return offsetWidth == 0 ? length + 1 : offsets.capacity();
    }

    /** Makes room for a number of ranges in all. */
    void reserve(long ranges) {
        if (views && ranges > capacity()) {
            starts.grow(ranges, length * offsetWidth);
            sizes.grow(ranges, length * offsetWidth);
        } else if (!views && offsetWidth != 0) {
            offsets.reserve(ranges, length);
        }
    }

    long nullCount() {
        return validity.nullCount();
    }

    /** The buffers of the array. */
    @Nullable
    DeviceBuffer[] finish() {
        @Nullable DeviceBuffer bitmap = validity.finish(length);
        if (views) {
            long byteSize = length * offsetWidth;
            return new @Nullable DeviceBuffer[] {bitmap, starts.finish(byteSize), sizes.finish(byteSize)};
        }
        return offsetWidth == 0
                ? new @Nullable DeviceBuffer[] {bitmap}
                : new @Nullable DeviceBuffer[] {bitmap, offsets.finish(length)};
    }

    void reset() {
        child.reset();
        validity.reset();
        offsets.reset();
        starts.reset();
        sizes.reset();
        length = 0;
        open = false;
        end = 0;
    }
}
