package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Strings and bytes of all variants. A subclass finds the bytes of a value. */
abstract class BinaryReader extends ValueReader {
    private final boolean text;

    BinaryReader(ArrayData data, @Nullable HostMemory validity, boolean text) {
        super(data, validity);
        this.text = text;
    }

    @Override
    public final String getString(long index) {
        return text ? new String(getBytes(index), StandardCharsets.UTF_8) : super.getString(index);
    }

    @Override
    public final Object valueAt(long index) {
        return text ? getString(index) : getBytes(index);
    }

    @Override
    public final boolean sameValue(long index, ValueReader other, long otherIndex) {
        return Arrays.equals(getBytes(index), other.getBytes(otherIndex));
    }

    static byte[] copy(HostMemory memory, long offset, long byteSize, long index) {
        // Before the allocation, because offsets that were not validated may ask for any number of bytes.
        if (byteSize < 0 || byteSize > memory.getByteSize() || byteSize > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("the value at index " + index + " has " + byteSize + " bytes");
        }
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

        Variable(ArrayData data, @Nullable HostMemory validity, Offsets offsets, HostMemory values, boolean text) {
            super(data, validity, text);
            this.offsets = offsets;
            this.values = values;
        }

        @Override
        public byte[] getBytes(long index) {
            long position = valuePosition(index);
            long start = offsets.get(position);
            return copy(values, start, offsets.get(position + 1) - start, index);
        }
    }

    /** Bytes in 16-byte views: inline up to 12 bytes, otherwise in one of the variadic buffers. */
    static final class Views extends BinaryReader {
        private static final int VIEW_SIZE = 16;
        private static final int MAX_INLINE = 12;

        private final HostMemory views;
        private final HostMemory[] variadic;

        Views(ArrayData data, @Nullable HostMemory validity, HostMemory views, HostMemory[] variadic, boolean text) {
            super(data, validity, text);
            this.views = views;
            this.variadic = variadic;
        }

        @Override
        public byte[] getBytes(long index) {
            long at = valuePosition(index) * VIEW_SIZE;
            int size = views.getInt(at);
            if (size <= MAX_INLINE) {
                return copy(views, at + 4, size, index);
            }
            int buffer = views.getInt(at + 8);
            if (buffer < 0 || buffer >= variadic.length) {
                throw new IllegalStateException(
                        "the view at index " + index + " refers to data buffer " + buffer + " of " + variadic.length);
            }
            return copy(variadic[buffer], views.getInt(at + 12), size, index);
        }
    }

    /** Bytes of a fixed width. */
    static final class FixedSize extends BinaryReader {
        private final HostMemory values;
        private final int byteWidth;

        FixedSize(ArrayData data, @Nullable HostMemory validity, HostMemory values, int byteWidth) {
            super(data, validity, false);
            this.values = values;
            this.byteWidth = byteWidth;
        }

        @Override
        public byte[] getBytes(long index) {
            return copy(values, valuePosition(index) * byteWidth, byteWidth, index);
        }
    }
}
