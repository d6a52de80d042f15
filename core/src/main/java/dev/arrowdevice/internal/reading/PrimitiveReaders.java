package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Readers of bool, integers and floating point numbers. */
public final class PrimitiveReaders {
    private PrimitiveReaders() {}

    static final class Null extends ValueReader {
        Null(ArrayData data) {
            super(data, null);
        }

        @Override
        public boolean isNull(long index) {
            position(index);
            return true;
        }

        @Override
        public boolean mayHaveNulls() {
            return true;
        }

        @Override
        public Object valueAt(long index) {
            throw nullValue(index);
        }

        @Override
        public boolean isSparse() {
            return true;
        }

        @Override
        public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
            if (count <= 0 || !(other instanceof Null)) {
                return super.sameRange(index, other, otherIndex, count);
            }
            return isNull(index + count - 1) && other.isNull(otherIndex + count - 1);
        }
    }

    static final class Bool extends ValueReader {
        private final HostMemory values;

        Bool(ArrayData data, @Nullable HostMemory validity, HostMemory values) {
            super(data, validity);
            this.values = values;
        }

        @Override
        public boolean getBoolean(long index) {
            return Bits.isSet(values, valuePosition(index));
        }

        @Override
        public Object valueAt(long index) {
            return getBoolean(index);
        }
    }

    public static final class Int8 extends ValueReader {
        private final HostMemory values;
        private final boolean signed;

        public Int8(ArrayData data, @Nullable HostMemory validity, HostMemory values, boolean signed) {
            super(data, validity);
            this.values = values;
            this.signed = signed;
        }

        @Override
        public byte getByte(long index) {
            return values.getByte(valueIndex(index));
        }

        @Override
        public short getShort(long index) {
            byte value = getByte(index);
            return signed ? value : (short) (value & 0xFF);
        }

        @Override
        public int getInt(long index) {
            return getShort(index);
        }

        @Override
        public long getLong(long index) {
            return getShort(index);
        }

        @Override
        public Object valueAt(long index) {
            return signed ? (Object) getByte(index) : (Object) getShort(index);
        }
    }

    public static final class Int16 extends ValueReader {
        private final HostMemory values;
        private final boolean signed;

        public Int16(ArrayData data, @Nullable HostMemory validity, HostMemory values, boolean signed) {
            super(data, validity);
            this.values = values;
            this.signed = signed;
        }

        @Override
        public short getShort(long index) {
            return values.getShort(valueIndex(index) << 1);
        }

        @Override
        public int getInt(long index) {
            short value = getShort(index);
            return signed ? value : value & 0xFFFF;
        }

        @Override
        public long getLong(long index) {
            return getInt(index);
        }

        @Override
        public Object valueAt(long index) {
            return signed ? (Object) getShort(index) : (Object) getInt(index);
        }
    }

    public static final class Int32 extends ValueReader {
        private final HostMemory values;
        private final boolean signed;

        public Int32(ArrayData data, @Nullable HostMemory validity, HostMemory values, boolean signed) {
            super(data, validity);
            this.values = values;
            this.signed = signed;
        }

        @Override
        public int getInt(long index) {
            return values.getInt(valueIndex(index) << 2);
        }

        @Override
        public long getLong(long index) {
            int value = getInt(index);
            return signed ? value : value & 0xFFFF_FFFFL;
        }

        /** Boxes a range within bounds, of which no value is null, in one loop. */
        public void box(long index, @Nullable Object[] target) {
            for (int i = 0; i < target.length; i++) {
                target[i] = values.getInt((index + i) << 2);
            }
        }

        @Override
        public Object valueAt(long index) {
            return signed ? (Object) getInt(index) : (Object) getLong(index);
        }
    }

    public static final class Int64 extends ValueReader {
        private final HostMemory values;
        private final boolean signed;

        public Int64(ArrayData data, @Nullable HostMemory validity, HostMemory values, boolean signed) {
            super(data, validity);
            this.values = values;
            this.signed = signed;
        }

        @Override
        public long getLong(long index) {
            return values.getLong(valueIndex(index) << 3);
        }

        /** Boxes a range within bounds, of which no value is null, in one loop. */
        public void box(long index, @Nullable Object[] target) {
            for (int i = 0; i < target.length; i++) {
                target[i] = values.getLong((index + i) << 3);
            }
        }

        @Override
        public Object valueAt(long index) {
            long value = getLong(index);
            return signed ? (Object) value : new BigInteger(Long.toUnsignedString(value));
        }
    }

    static final class Float16 extends ValueReader {
        private final HostMemory values;

        Float16(ArrayData data, @Nullable HostMemory validity, HostMemory values) {
            super(data, validity);
            this.values = values;
        }

        @Override
        public float getFloat(long index) {
            return HalfFloat.toFloat(values.getShort(valueIndex(index) << 1));
        }

        @Override
        public double getDouble(long index) {
            return getFloat(index);
        }

        @Override
        public Object valueAt(long index) {
            return getFloat(index);
        }
    }

    public static final class Float32 extends ValueReader {
        private final HostMemory values;

        public Float32(ArrayData data, @Nullable HostMemory validity, HostMemory values) {
            super(data, validity);
            this.values = values;
        }

        @Override
        public float getFloat(long index) {
            return values.getFloat(valueIndex(index) << 2);
        }

        @Override
        public double getDouble(long index) {
            return getFloat(index);
        }

        /** Boxes a range within bounds, of which no value is null, in one loop. */
        public void box(long index, @Nullable Object[] target) {
            for (int i = 0; i < target.length; i++) {
                target[i] = values.getFloat((index + i) << 2);
            }
        }

        @Override
        public Object valueAt(long index) {
            return getFloat(index);
        }
    }

    public static final class Float64 extends ValueReader {
        private final HostMemory values;

        public Float64(ArrayData data, @Nullable HostMemory validity, HostMemory values) {
            super(data, validity);
            this.values = values;
        }

        @Override
        public double getDouble(long index) {
            return values.getDouble(valueIndex(index) << 3);
        }

        /** Boxes a range within bounds, of which no value is null, in one loop. */
        public void box(long index, @Nullable Object[] target) {
            for (int i = 0; i < target.length; i++) {
                target[i] = values.getDouble((index + i) << 3);
            }
        }

        @Override
        public Object valueAt(long index) {
            return getDouble(index);
        }
    }
}
