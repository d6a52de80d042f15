package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.internal.reading.HalfFloat;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Builders of floating point numbers, which are rounded to the nearest one of the type. */
final class FloatingBuilders {
    private FloatingBuilders() {}

    /** What all widths do alike. */
    abstract static class Floating extends StagedBuilder {
        /** The largest number of bits whose integers are all exact. */
        private final int significandBits;

        Floating(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, int significandBits) {
            super(field, memory, parent);
            this.significandBits = significandBits;
        }

        @Override
        public abstract void append(float value);

        @Override
        public abstract void append(double value);

        @Override
        public final void append(long value) {
            long magnitude = Math.abs(value);
            // Exact if, without its trailing zeros, it fits the significand; float16 ends at 65504 besides.
            if (magnitude != 0
                    && (64 - Long.numberOfLeadingZeros(magnitude) - Long.numberOfTrailingZeros(magnitude)
                                    > significandBits
                            || (significandBits == 11 && magnitude > 65504))) {
                throw fail(value + " is not exact in " + getType());
            }
            append((double) value);
        }

        @Override
        boolean appendValue(Object value) {
            if (value instanceof Double number) {
                append((double) number);
            } else if (value instanceof Float number) {
                append((float) number);
            } else if (value instanceof Integer
                    || value instanceof Long
                    || value instanceof Short
                    || value instanceof Byte) {
                append(((Number) value).longValue());
            } else if (value instanceof BigInteger integer && integer.bitLength() <= 63) {
                append(integer.longValue());
            } else {
                return false;
            }
            return true;
        }

        /** A finite number must not become an infinity. */
        final void checkFinite(boolean infinite, double value) {
            if (infinite && !Double.isInfinite(value)) {
                throw unfit(Double.toString(value));
            }
        }
    }

    static final class Float16 extends Floating {
        private short[] block = {};

        Float16(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent, 11);
        }

        @Override
        public void append(float value) {
            short bits = HalfFloat.ofFloat(value);
            checkFinite((bits & 0x7FFF) == 0x7C00, value);
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = bits;
            staged = at + 1;
        }

        @Override
        public void append(double value) {
            float nearest = (float) value;
            checkFinite(Float.isInfinite(nearest), value);
            // Rounding twice could miss the nearest float16: a float that was rounded, and has no bits below those of a
            // float16 but the tie, is moved one step back to the side that the number came from.
            if (nearest != value && (Float.floatToRawIntBits(nearest) & 0xFFF) == 0) {
                nearest = nearest < value ? Math.nextUp(nearest) : Math.nextDown(nearest);
            }
            append(nearest);
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

    static final class Float32 extends Floating {
        private float[] block = {};

        Float32(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent, 24);
        }

        @Override
        public void append(float value) {
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = value;
            staged = at + 1;
        }

        @Override
        public void append(double value) {
            float nearest = (float) value;
            checkFinite(Float.isInfinite(nearest), value);
            append(nearest);
        }

        @Override
        public void appendAll(float[] source, boolean @Nullable [] valid) {
            if (allowsBulk(source.length, valid)) {
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
            block = new float[BLOCK];
        }

        @Override
        void dropBlock() {
            block = new float[0];
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

    static final class Float64 extends Floating {
        private double[] block = {};

        Float64(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent, 53);
        }

        @Override
        public void append(float value) {
            append((double) value);
        }

        @Override
        public void append(double value) {
            int at = staged;
            if (at == block.length) {
                at = makeRoom();
            }
            block[at] = value;
            staged = at + 1;
        }

        @Override
        public void appendAll(double[] source, boolean @Nullable [] valid) {
            if (allowsBulk(source.length, valid)) {
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
            block = new double[BLOCK];
        }

        @Override
        void dropBlock() {
            block = new double[0];
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
