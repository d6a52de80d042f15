package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.internal.reading.Readers;
import dev.arrowdevice.internal.reading.ValueReader;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of an array, for a {@link ValueTable}: which of them are the same, as {@code ArrayView.valuesEqual} means
 * it. Flat values are compared in their memory; those of nested and encoded types are read as objects.
 */
abstract class ValueSource {
    /** A hash of a value that is not null. */
    abstract long hash(long index);

    /** Whether two values, both not null, are the same. The other source is of an array of the same type. */
    abstract boolean same(long index, ValueSource other, long otherIndex);

    /** Whether a value is null, also inside of an encoding. */
    abstract boolean isNull(long index);

    static ValueSource of(ArrayData array) {
        ArrowType storage = array.getType().storageType();
        switch (storage.id()) {
            case BOOL:
                return new Numbers(array, 0);
            case UTF8:
            case BINARY:
            case LARGE_UTF8:
            case LARGE_BINARY:
                return new Texts(array);
            case UTF8_VIEW:
            case BINARY_VIEW:
                return new Views(array);
            case NULL:
            case DICTIONARY:
                return new AnyValues(array);
            default:
                int width = storage.layout().bitWidth() / 8;
                if (width == 0) {
                    return new AnyValues(array);
                }
                return width <= Long.BYTES && Integer.bitCount(width) == 1
                        ? new Numbers(array, width)
                        : new Blocks(array, width);
        }
    }

    private static long mix(long number) {
        long mixed = number * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ mixed >>> 32;
    }

    private abstract static class Flat extends ValueSource {
        private final @Nullable BitSource validity;

        Flat(ArrayData array) {
            this.validity = Gather.validityOf(array);
        }

        @Override
        final boolean isNull(long index) {
            return validity != null && validity.bit(index) == 0;
        }
    }

    /** Values of at most 64 bits. Each NaN is the same. */
    private static final class Numbers extends Flat {
        private final HostMemory memory;
        private final BitSource bits;
        private final int width;
        private final TypeId type;

        /** @param width the bytes of a value, or 0 for bits */
        Numbers(ArrayData array, int width) {
            super(array);
            this.memory = FixedWidth.from(array, 1, Math.max(1, width));
            this.bits = new BitSource(ArrayBuffers.memory(array.buffer(1)), array.getOffset());
            this.width = width;
            this.type = array.getType().storageType().id();
        }

        private long key(long index) {
            switch (width) {
                case 0:
                    return bits.bit(index);
                case 1:
                    return memory.getByte(index);
                case 2:
                    short half = memory.getShort(index << 1);
                    return type == TypeId.FLOAT16 && (half & 0x7FFF) > 0x7C00 ? 0x7E00 : half;
                case 4:
                    return type == TypeId.FLOAT32
                            ? Float.floatToIntBits(memory.getFloat(index << 2))
                            : memory.getInt(index << 2);
                default:
                    return type == TypeId.FLOAT64
                            ? Double.doubleToLongBits(memory.getDouble(index << 3))
                            : memory.getLong(index << 3);
            }
        }

        @Override
        long hash(long index) {
            return mix(key(index));
        }

        @Override
        boolean same(long index, ValueSource other, long otherIndex) {
            return key(index) == ((Numbers) other).key(otherIndex);
        }
    }

    /** Values that are ranges of bytes. */
    private abstract static class Ranges extends Flat {
        Ranges(ArrayData array) {
            super(array);
        }

        abstract HostMemory memory(long index);

        abstract long start(long index);

        abstract long size(long index);

        @Override
        final long hash(long index) {
            HostMemory memory = memory(index);
            long at = start(index);
            long size = size(index);
            long hash = size;
            long end = at + size;
            for (; end - at >= Long.BYTES; at += Long.BYTES) {
                hash = mix(hash ^ memory.getLong(at));
            }
            long rest = 0;
            for (; at < end; at++) {
                rest = rest << 8 | memory.getByte(at) & 0xFF;
            }
            return mix(hash ^ rest);
        }

        @Override
        final boolean same(long index, ValueSource other, long otherIndex) {
            Ranges that = (Ranges) other;
            long size = size(index);
            return size == that.size(otherIndex)
                    && memory(index).contentEquals(start(index), that.memory(otherIndex), that.start(otherIndex), size);
        }
    }

    private static final class Blocks extends Ranges {
        private final HostMemory memory;
        private final int width;

        Blocks(ArrayData array, int width) {
            super(array);
            this.memory = FixedWidth.from(array, 1, width);
            this.width = width;
        }

        @Override
        HostMemory memory(long index) {
            return memory;
        }

        @Override
        long start(long index) {
            return index * width;
        }

        @Override
        long size(long index) {
            return width;
        }
    }

    private static final class Texts extends Ranges {
        private final Offsets offsets;
        private final HostMemory memory;

        Texts(ArrayData array) {
            super(array);
            boolean wide = Gather.hasWideOffsets(array.getType().storageType());
            this.offsets = new Offsets(FixedWidth.from(array, 1, wide ? Long.BYTES : Integer.BYTES), wide);
            this.memory = ArrayBuffers.memory(array.buffer(2));
        }

        @Override
        HostMemory memory(long index) {
            return memory;
        }

        @Override
        long start(long index) {
            return offsets.get(index);
        }

        @Override
        long size(long index) {
            return offsets.get(index + 1) - offsets.get(index);
        }
    }

    /** Strings or binaries that are in the view, or in one of the buffers. */
    private static final class Views extends Ranges {
        private final ArrayData array;
        private final HostMemory views;

        Views(ArrayData array) {
            super(array);
            this.array = array;
            this.views = FixedWidth.from(array, 1, 16);
        }

        @Override
        HostMemory memory(long index) {
            return size(index) <= 12 ? views : ArrayBuffers.memory(array.buffer(2 + views.getInt((index << 4) + 8)));
        }

        @Override
        long start(long index) {
            return size(index) <= 12 ? (index << 4) + 4 : views.getInt((index << 4) + 12);
        }

        @Override
        long size(long index) {
            return views.getInt(index << 4);
        }
    }

    /** Values of any type, as objects. */
    private static final class AnyValues extends ValueSource {
        private final ValueReader reader;

        AnyValues(ArrayData array) {
            this.reader = Readers.of(array, null);
        }

        @Override
        long hash(long index) {
            return mix(deepHash(reader.getObject(index)));
        }

        @Override
        boolean same(long index, ValueSource other, long otherIndex) {
            return reader.same(index, ((AnyValues) other).reader, otherIndex);
        }

        @Override
        boolean isNull(long index) {
            return reader.isNull(index);
        }

        private static int deepHash(@Nullable Object value) {
            if (value instanceof byte[] bytes) {
                return Arrays.hashCode(bytes);
            }
            int hash = 1;
            if (value instanceof List<?> elements) {
                for (Object element : elements) {
                    hash = 31 * hash + deepHash(element);
                }
                return hash;
            }
            if (value instanceof Map<?, ?> fields) {
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    hash += deepHash(field.getKey()) ^ 31 * deepHash(field.getValue());
                }
                return hash;
            }
            if (value instanceof Map.Entry<?, ?> entry) {
                return deepHash(entry.getKey()) ^ 31 * deepHash(entry.getValue());
            }
            return Objects.hashCode(value);
        }
    }
}
