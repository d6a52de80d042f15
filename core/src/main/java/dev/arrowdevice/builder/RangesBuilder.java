package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Base of lists and maps: each value is a range of the one child, written as offsets, as views, or not at all. */
abstract class RangesBuilder extends ArrayBuilder {
    final ArrayBuilder child;
    private final GrowingBuffer offsetBuffer;
    private final GrowingBuffer sizeBuffer;
    private final int offsetWidth;
    private final boolean views;

    /** The size of each list, or -1 if they differ. */
    final int fixedSize;

    private boolean open;

    /** The elements of all ranges so far: where the next one starts. */
    private long end;

    RangesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.child = Builders.of(field.children().get(0), memory, this);
        this.offsetBuffer = new GrowingBuffer(memory);
        this.sizeBuffer = new GrowingBuffer(memory);
        List<BufferKind> buffers = field.type().layout().buffers();
        this.offsetWidth = buffers.contains(BufferKind.OFFSETS64) ? 8 : buffers.contains(BufferKind.OFFSETS32) ? 4 : 0;
        this.views = buffers.contains(BufferKind.SIZES32) || buffers.contains(BufferKind.SIZES64);
        this.fixedSize = field.type().storageType() instanceof FixedSizeListType fixed ? fixed.listSize() : -1;
    }

    /** Starts a value: what is appended to the child from now on belongs to it. */
    final void startRange(String operation) {
        memory.requireOpen(operation);
        settle();
        open = true;
    }

    /** Ends a value. */
    final void endRange(String operation) {
        if (!open) {
            throw new IllegalStateException(at("row " + rowOf(length)) + operation + ": nothing was started");
        }
        long newEnd = child.settle();
        if (fixedSize >= 0 && newEnd - end != fixedSize) {
            throw fail((newEnd - end) + " elements in a list of fixed size " + fixedSize);
        }
        if (offsetWidth == 4 && newEnd > Integer.MAX_VALUE) {
            throw fail(
                    "more than 2^31 - 1 elements in all, which 32-bit offsets can't address; choose the large variant");
        }
        long at = nextIndex();
        long start = end;
        end = newEnd;
        put(at, start);
        length = at + 1;
        open = false;
    }

    @Override
    final long settle() {
        if (open) {
            throw fail("the value was started and not ended");
        }
        long elements = child.settle();
        if (elements != end) {
            throw fail((elements - end) + " elements were appended outside of any value");
        }
        return length;
    }

    @Override
    final void putNull() {
        settle();
        appendFixedSizeFiller();
        super.putNull();
    }

    @Override
    final void appendEmpty() {
        settle();
        appendFixedSizeFiller();
        super.appendEmpty();
    }

    private void appendFixedSizeFiller() {
        for (int i = 0; i < fixedSize; i++) {
            child.appendFiller();
        }
        end += Math.max(0, fixedSize);
    }

    @Override
    final void putZero(long index) {
        put(index, end);
    }

    /** Writes the range from {@code start} to {@link #end}. */
    private void put(long index, long start) {
        if (views) {
            putNumber(offsetBuffer.bytes(), index, start);
            putNumber(sizeBuffer.bytes(), index, end - start);
        } else if (offsetWidth != 0) {
            putNumber(offsetBuffer.bytes(), index + 1, end);
        }
    }

    private void putNumber(HostMemory target, long index, long number) {
        if (offsetWidth == 8) {
            target.putLong(index << 3, number);
        } else {
            target.putInt(index << 2, (int) number);
        }
    }

    @Override
    final void resize(long newCapacity) {
        if (views) {
            offsetBuffer.resize(newCapacity * offsetWidth, length * offsetWidth);
            sizeBuffer.resize(newCapacity * offsetWidth, length * offsetWidth);
        } else if (offsetWidth != 0) {
            boolean fresh = offsetBuffer.capacity() == 0;
            offsetBuffer.resize((newCapacity + 1) * offsetWidth, fresh ? 0 : (length + 1) * offsetWidth);
            if (fresh) {
                offsetBuffer.bytes().putLong(0, 0); // The first offset.
            }
        }
    }

    @Override
    final ArrayData build() {
        ArrayData elements = child.build();
        DeviceBuffer[] buffers = {};
        if (views) {
            buffers = new DeviceBuffer[] {
                offsetBuffer.finish(length * offsetWidth), sizeBuffer.finish(length * offsetWidth)
            };
        } else if (offsetWidth != 0) {
            if (offsetBuffer.capacity() == 0) {
                resize(0); // One zero offset, also of an empty array.
            }
            buffers = new DeviceBuffer[] {offsetBuffer.finish((length + 1) * offsetWidth)};
        }
        return data(withValidity(buffers), elements);
    }

    @Override
    final String pathOf(BuilderNode node) {
        return path() + "[]";
    }

    @Override
    final void reset() {
        super.reset();
        child.reset();
        offsetBuffer.reset();
        sizeBuffer.reset();
        open = false;
        end = 0;
    }
}
