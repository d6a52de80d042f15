package dev.arrowdevice.build;

import dev.arrowdevice.array.ArrayData;
import dev.arrowdevice.memory.HostMemory;
import dev.arrowdevice.type.Field;
import org.jspecify.annotations.Nullable;

/** Builds utf8 and binary values behind offsets of 32 or 64 bits. */
final class OffsetBytesBuilder extends BytesBuilder {
    private final boolean wide;
    private final GrowingBuffer offsetBuffer;
    private final GrowingBuffer byteBuffer;
    private HostMemory offsets = HostMemory.EMPTY;

    /** The bytes used, which is the last offset. */
    private long end;

    OffsetBytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text, boolean wide) {
        super(field, memory, parent, text);
        this.wide = wide;
        this.offsetBuffer = new GrowingBuffer(memory);
        this.byteBuffer = new GrowingBuffer(memory);
    }

    @Override
    void put(byte[] bytes, int size) {
        if (!wide && size > Integer.MAX_VALUE - end) {
            throw fail("more than 2 GiB in all, which 32-bit offsets can't address; choose the large variant");
        }
        long at = nextIndex();
        if (end + size > byteBuffer.capacity()) {
            byteBuffer.grow(end + size, end);
        }
        byteBuffer.bytes().put(end, bytes, 0, size);
        end += size;
        putZero(at);
        length = at + 1;
    }

    /** An element without bytes of its own: writes where it ends. */
    @Override
    void putZero(long index) {
        if (wide) {
            offsets.putLong((index + 1) << 3, end);
        } else {
            offsets.putInt((index + 1) << 2, (int) end);
        }
    }

    @Override
    void resize(long newCapacity) {
        int width = wide ? 8 : 4;
        boolean fresh = offsetBuffer.capacity() == 0;
        offsetBuffer.resize((newCapacity + 1) * width, fresh ? 0 : (length + 1) * width);
        offsets = offsetBuffer.bytes();
        if (fresh) {
            offsets.putLong(0, 0); // The first offset.
        }
    }

    @Override
    ArrayData build() {
        if (offsetBuffer.capacity() == 0) {
            resize(0); // "the offsets buffer … one zero offset", also of an empty array
        }
        return data(withValidity(offsetBuffer.finish((length + 1) * (wide ? 8 : 4)), byteBuffer.finish(end)));
    }

    @Override
    void reset() {
        super.reset();
        offsetBuffer.reset();
        byteBuffer.reset();
        offsets = HostMemory.EMPTY;
        end = 0;
    }
}
