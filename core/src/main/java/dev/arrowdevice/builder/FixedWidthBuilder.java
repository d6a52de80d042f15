package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import org.jspecify.annotations.Nullable;

/** Base of all builders whose values take the same number of whole bytes each. */
abstract class FixedWidthBuilder extends ArrayBuilder {
    final int byteWidth;
    private final GrowingBuffer buffer;

    /** Where values are written: {@link #capacity} of them fit. */
    HostMemory values = HostMemory.EMPTY;

    FixedWidthBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        this.byteWidth = field.type().layout().bitWidth() / 8;
        this.buffer = new GrowingBuffer(memory);
    }

    @Override
    final int bytesPerElement() {
        return byteWidth;
    }

    @Override
    final void resize(long newCapacity) {
        buffer.resize(Math.multiplyExact(newCapacity, byteWidth), length * byteWidth);
        values = buffer.bytes();
    }

    @Override
    void putZero(long index) {
        switch (byteWidth) {
            case 1 -> values.putByte(index, (byte) 0);
            case 2 -> values.putShort(index << 1, (short) 0);
            case 4 -> values.putInt(index << 2, 0);
            case 8 -> values.putLong(index << 3, 0);
            default -> values.fill(index * byteWidth, byteWidth, (byte) 0);
        }
    }

    /** Whether values of just the type's width may be copied in bulk: flags fit, and no null is refused. */
    boolean allowsBulk(int count, boolean @Nullable [] valid) {
        checkLength(count, valid);
        if (valid != null && !nullable()) {
            return false;
        }
        reserve(count);
        return true;
    }

    /** Takes in values that have been copied behind the last one, and marks those null that are not valid. */
    final void appended(int count, boolean @Nullable [] valid) {
        long start = length;
        length = start + count;
        if (valid != null) {
            for (int i = 0; i < count; i++) {
                if (!valid[i]) {
                    putZero(start + i);
                    validity.setNull(start + i, capacity);
                }
            }
        }
    }

    @Override
    ArrayData build() {
        ArrayData data = data(withValidity(buffer.finish(length * byteWidth)));
        values = buffer.bytes();
        return data;
    }

    @Override
    void reset() {
        super.reset();
        buffer.reset();
        values = HostMemory.EMPTY;
    }
}
