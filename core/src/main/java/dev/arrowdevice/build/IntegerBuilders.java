package dev.arrowdevice.build;

import dev.arrowdevice.type.Field;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Builders of integers, signed and unsigned, one per width: each append is a check of the range and a store. */
final class IntegerBuilders {
    private IntegerBuilders() {}

    /** What all widths do alike. */
    abstract static class Integers extends FixedWidthBuilder {
        final long min;
        final long max;

        /** @param min the smallest value, and {@code max} the largest that a long can hold */
        Integers(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, long min, long max) {
            super(field, memory, parent);
            this.min = min;
            this.max = max;
        }

        @Override
        public abstract void append(long value);

        @Override
        boolean appendValue(Object value) {
            if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
                append(((Number) value).longValue());
            } else if (value instanceof BigInteger integer) {
                appendInteger(integer);
            } else {
                return false;
            }
            return true;
        }

        void appendInteger(BigInteger value) {
            if (value.bitLength() > 63) {
                throw outOfRange(value);
            }
            append(value.longValue());
        }

        final IllegalArgumentException outOfRange(Object value) {
            return unfit(value.toString());
        }
    }

    static class Int8 extends Integers {
        Int8(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Byte.MIN_VALUE : 0, signed ? Byte.MAX_VALUE : 0xFF);
        }

        @Override
        public void append(long value) {
            if (value < min || value > max) {
                throw outOfRange(value);
            }
            long at = nextIndex();
            values.putByte(at, (byte) value);
            length = at + 1;
        }

        @Override
        public void appendAll(byte[] source, boolean @Nullable [] valid) {
            if (min < 0 && allowsBulk(source.length, valid)) {
                values.put(length, source, 0, source.length);
                appended(source.length, valid);
            } else {
                super.appendAll(source, valid);
            }
        }
    }

    static final class Int16 extends Integers {
        Int16(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Short.MIN_VALUE : 0, signed ? Short.MAX_VALUE : 0xFFFF);
        }

        @Override
        public void append(long value) {
            if (value < min || value > max) {
                throw outOfRange(value);
            }
            long at = nextIndex();
            values.putShort(at << 1, (short) value);
            length = at + 1;
        }

        @Override
        public void appendAll(short[] source, boolean @Nullable [] valid) {
            if (min < 0 && allowsBulk(source.length, valid)) {
                values.put(length << 1, source, 0, source.length);
                appended(source.length, valid);
            } else {
                super.appendAll(source, valid);
            }
        }
    }

    static final class Int32 extends Integers {
        Int32(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Integer.MIN_VALUE : 0, signed ? Integer.MAX_VALUE : 0xFFFF_FFFFL);
        }

        @Override
        public void append(long value) {
            if (value < min || value > max) {
                throw outOfRange(value);
            }
            long at = nextIndex();
            values.putInt(at << 2, (int) value);
            length = at + 1;
        }

        @Override
        public void append(int value) {
            if (value < min) {
                throw outOfRange(value);
            }
            long at = nextIndex();
            values.putInt(at << 2, value);
            length = at + 1;
        }

        @Override
        public void appendAll(int[] source, boolean @Nullable [] valid) {
            if (min < 0 && allowsBulk(source.length, valid)) {
                values.put(length << 2, source, 0, source.length);
                appended(source.length, valid);
            } else {
                super.appendAll(source, valid);
            }
        }
    }

    static final class Int64 extends Integers {
        Int64(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Long.MIN_VALUE : 0, Long.MAX_VALUE);
        }

        @Override
        public void append(long value) {
            if (value < min) {
                throw outOfRange(value);
            }
            long at = nextIndex();
            values.putLong(at << 3, value);
            length = at + 1;
        }

        @Override
        public void appendUnsigned(long bits) {
            if (min < 0 && bits < 0) {
                throw outOfRange(Long.toUnsignedString(bits));
            }
            long at = nextIndex();
            values.putLong(at << 3, bits);
            length = at + 1;
        }

        @Override
        void appendInteger(BigInteger value) {
            if (min == 0 && value.signum() >= 0 && value.bitLength() <= 64) {
                appendUnsigned(value.longValue());
            } else {
                super.appendInteger(value);
            }
        }

        @Override
        public void appendAll(long[] source, boolean @Nullable [] valid) {
            if (min < 0 && allowsBulk(source.length, valid)) {
                values.put(length << 3, source, 0, source.length);
                appended(source.length, valid);
            } else {
                super.appendAll(source, valid);
            }
        }
    }
}
