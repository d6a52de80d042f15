package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Builders of integers, signed and unsigned, one per width: each append is a check of the range and a store. */
final class IntegerBuilders {
    private IntegerBuilders() {}

    /** What all widths do alike. */
    abstract static class Integers extends StagedBuilder {
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
        private byte[] block = {};

        Int8(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Byte.MIN_VALUE : 0, signed ? Byte.MAX_VALUE : 0xFF);
        }

        @Override
        public final void append(long value) {
            if (value < min || value > max) {
                throw outOfRange(value);
            }
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = (byte) value;
            staged = at + 1;
        }

        @Override
        public final void appendAll(byte[] source, boolean @Nullable [] valid) {
            if (min < 0 && allowsBulk(source.length, valid)) {
                values.put(length, source, 0, source.length);
                appended(source.length, valid);
            } else {
                super.appendAll(source, valid);
            }
        }

        @Override
        final int blockSize() {
            return block.length;
        }

        @Override
        final void allocateBlock() {
            block = new byte[BLOCK];
        }

        @Override
        final void dropBlock() {
            block = new byte[0];
        }

        @Override
        final void stageZero(int at) {
            block[at] = 0;
        }

        @Override
        final void putBlock(long index, int count) {
            values.put(index, block, 0, count);
        }
    }

    static final class Int16 extends Integers {
        private short[] block = {};

        Int16(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Short.MIN_VALUE : 0, signed ? Short.MAX_VALUE : 0xFFFF);
        }

        @Override
        public final void append(long value) {
            if (value < min || value > max) {
                throw outOfRange(value);
            }
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = (short) value;
            staged = at + 1;
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

        @Override
        int blockSize() {
            return block.length;
        }

        @Override
        void allocateBlock() {
            block = new short[BLOCK];
        }

        @Override
        void dropBlock() {
            block = new short[0];
        }

        @Override
        void stageZero(int at) {
            block[at] = 0;
        }

        @Override
        void putBlock(long index, int count) {
            values.put(index << 1, block, 0, count);
        }
    }

    static final class Int32 extends Integers {
        private int[] block = {};

        Int32(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Integer.MIN_VALUE : 0, signed ? Integer.MAX_VALUE : 0xFFFF_FFFFL);
        }

        @Override
        public final void append(long value) {
            if (value < min || value > max) {
                throw outOfRange(value);
            }
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = (int) value;
            staged = at + 1;
        }

        @Override
        public void append(int value) {
            if (value < min) {
                throw outOfRange(value);
            }
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = value;
            staged = at + 1;
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

        @Override
        int blockSize() {
            return block.length;
        }

        @Override
        void allocateBlock() {
            block = new int[BLOCK];
        }

        @Override
        void dropBlock() {
            block = new int[0];
        }

        @Override
        void stageZero(int at) {
            block[at] = 0;
        }

        @Override
        void putBlock(long index, int count) {
            values.put(index << 2, block, 0, count);
        }
    }

    static final class Int64 extends Integers {
        private long[] block = {};

        Int64(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean signed) {
            super(field, memory, parent, signed ? Long.MIN_VALUE : 0, Long.MAX_VALUE);
        }

        @Override
        public final void append(long value) {
            if (value < min) {
                throw outOfRange(value);
            }
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = value;
            staged = at + 1;
        }

        @Override
        public void appendUnsigned(long bits) {
            if (min < 0 && bits < 0) {
                throw outOfRange(Long.toUnsignedString(bits));
            }
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = bits;
            staged = at + 1;
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

        @Override
        int blockSize() {
            return block.length;
        }

        @Override
        void allocateBlock() {
            block = new long[BLOCK];
        }

        @Override
        void dropBlock() {
            block = new long[0];
        }

        @Override
        void stageZero(int at) {
            block[at] = 0;
        }

        @Override
        void putBlock(long index, int count) {
            values.put(index << 3, block, 0, count);
        }
    }
}
