package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Strings and bytes of all variants. A subclass finds the bytes of a value. */
abstract class BinaryReader extends ValueReader {
    private final boolean text;
    /** For texts that one thread alone reads, within a borrow. */
    private final @Nullable TextBlock block;

    /**
     * @param text whether the values are texts
     * @param confined whether one thread alone uses the reader
     */
    BinaryReader(ArrayData data, @Nullable HostMemory validity, boolean text, boolean confined) {
        super(data, validity);
        this.text = text;
        this.block = text && confined ? new TextBlock() : null;
    }

    @Override
    public final String getString(long index) {
        return text ? text(index) : super.getString(index);
    }

    /** The text of an index. */
    abstract String text(long index);

    final String read(HostMemory memory, long offset, long byteSize, long index) {
        if (block == null) {
            return new String(copy(memory, offset, byteSize, index), StandardCharsets.UTF_8);
        }
        requireSize(memory, byteSize, index);
        return block.read(memory, offset, (int) byteSize);
    }

    @Override
    public final Object valueAt(long index) {
        return text ? getString(index) : getBytes(index);
    }

    @Override
    public final boolean sameValue(long index, ValueReader other, long otherIndex) {
        return Arrays.equals(getBytes(index), other.getBytes(otherIndex));
    }

    /** Reads no more than the budget allows, because views may show the same bytes any number of times. */
    @Override
    public final @Nullable Object preview(long index, Preview budget) {
        if (isNull(index)) {
            return null;
        }
        long size = byteSize(index);
        int shown = text ? budget.takeText(size) : budget.maxElements() + 1; // One more byte than is printed.
        if (size <= shown) {
            return valueAt(index);
        }
        byte[] beginning = beginning(index, shown);
        return text ? new String(beginning, StandardCharsets.UTF_8) + Preview.MORE : new Preview.Bytes(beginning, size);
    }

    /** The size of a value, known not to be null, as the array says; it may be wrong. */
    abstract long byteSize(long index);

    /** The first bytes of a value, known not to be null; at most as many as it has. */
    abstract byte[] beginning(long index, int byteSize);

    /** Before an allocation, because offsets that were not validated may ask for any number of bytes. */
    private static void requireSize(HostMemory memory, long byteSize, long index) {
        if (byteSize < 0 || byteSize > memory.getByteSize() || byteSize > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("the value at index " + index + " has " + byteSize + " bytes");
        }
    }

    static byte[] copy(HostMemory memory, long offset, long byteSize, long index) {
        requireSize(memory, byteSize, index);
        byte[] bytes = new byte[(int) byteSize];
        if (byteSize > 0) {
            memory.get(offset, bytes, 0, bytes.length);
        }
        return bytes;
    }

    /** Bytes between two consecutive offsets of 32 or 64 bits. */
    static final class Variable extends BinaryReader {
        private final Offsets offsets;
        private final HostMemory values;

        Variable(
                ArrayData data,
                @Nullable HostMemory validity,
                Offsets offsets,
                HostMemory values,
                boolean text,
                boolean confined) {
            super(data, validity, text, confined);
            this.offsets = offsets;
            this.values = values;
        }

        @Override
        long byteSize(long index) {
            long position = valuePosition(index);
            return offsets.get(position + 1) - offsets.get(position);
        }

        @Override
        byte[] beginning(long index, int byteSize) {
            return copy(values, offsets.get(valuePosition(index)), byteSize, index);
        }

        @Override
        public byte[] getBytes(long index) {
            long position = valuePosition(index);
            long start = offsets.get(position);
            return copy(values, start, offsets.get(position + 1) - start, index);
        }

        @Override
        String text(long index) {
            long position = valuePosition(index);
            long start = offsets.get(position);
            return read(values, start, offsets.get(position + 1) - start, index);
        }
    }

    /** Bytes in 16-byte views: inline up to 12 bytes, otherwise in one of the variadic buffers. */
    static final class Views extends BinaryReader {
        private static final int VIEW_SIZE = 16;
        private static final int MAX_INLINE = 12;

        private final HostMemory views;
        private final HostMemory[] variadic;

        Views(
                ArrayData data,
                @Nullable HostMemory validity,
                HostMemory views,
                HostMemory[] variadic,
                boolean text,
                boolean confined) {
            super(data, validity, text, confined);
            this.views = views;
            this.variadic = variadic;
        }

        @Override
        long byteSize(long index) {
            return views.getInt(valuePosition(index) * VIEW_SIZE);
        }

        @Override
        public byte[] getBytes(long index) {
            return beginning(index, Integer.MAX_VALUE);
        }

        @Override
        byte[] beginning(long index, int byteSize) {
            long at = valuePosition(index) * VIEW_SIZE;
            int whole = views.getInt(at);
            int size = Math.min(whole, byteSize);
            return whole <= MAX_INLINE
                    ? copy(views, at + 4, size, index)
                    : copy(data(at, index), views.getInt(at + 12), size, index);
        }

        @Override
        String text(long index) {
            long at = valuePosition(index) * VIEW_SIZE;
            int size = views.getInt(at);
            return size <= MAX_INLINE
                    ? new String(copy(views, at + 4, size, index), StandardCharsets.UTF_8)
                    : read(data(at, index), views.getInt(at + 12), size, index);
        }

        /** The data buffer of a view. */
        private HostMemory data(long at, long index) {
            int buffer = views.getInt(at + 8);
            if (buffer < 0 || buffer >= variadic.length) {
                throw new IllegalStateException(
                        "the view at index " + index + " refers to data buffer " + buffer + " of " + variadic.length);
            }
            return variadic[buffer];
        }
    }

    /** Bytes of a fixed width. */
    static final class FixedSize extends BinaryReader {
        private final HostMemory values;
        private final int byteWidth;

        FixedSize(ArrayData data, @Nullable HostMemory validity, HostMemory values, int byteWidth) {
            super(data, validity, false, false);
            this.values = values;
            this.byteWidth = byteWidth;
        }

        @Override
        String text(long index) {
            throw new AssertionError("fixed-size binary is no text");
        }

        @Override
        long byteSize(long index) {
            return byteWidth;
        }

        @Override
        byte[] beginning(long index, int byteSize) {
            return copy(values, valuePosition(index) * byteWidth, byteSize, index);
        }

        @Override
        public byte[] getBytes(long index) {
            return copy(values, valuePosition(index) * byteWidth, byteWidth, index);
        }

        @Override
        public boolean isSparse() {
            return byteWidth == 0;
        }

        /** Values of width 0 are all the same. */
        @Override
        public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
            boolean isEmpty = byteWidth == 0 && !mayHaveNulls() && !other.mayHaveNulls();
            return isEmpty || super.sameRange(index, other, otherIndex, count);
        }
    }
}
