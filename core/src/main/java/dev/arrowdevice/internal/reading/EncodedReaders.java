package dev.arrowdevice.internal.reading;

import dev.arrowdevice.UnionType;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Readers of arrays whose values are in another array: dictionary, run-end encoded, union, and fields of structs. */
final class EncodedReaders {
    private EncodedReaders() {}

    /** Reads a value from another array. A subclass finds the value. */
    abstract static class Indirect extends ValueReader {
        Indirect(ArrayData data, @Nullable HostMemory validity) {
            super(data, validity);
        }

        /** The reader of the array with the value. The index is within bounds and, if there is a bitmap, valid. */
        abstract ValueReader source(long index);

        /** The index of the value in that array. */
        abstract long sourceIndex(long index);

        @Override
        public boolean isNull(long index) {
            return super.isNull(index) || source(index).isNull(sourceIndex(index));
        }

        @Override
        public final ValueReader target(long index) {
            return source(index).target(sourceIndex(index));
        }

        @Override
        public final long targetIndex(long index) {
            return source(index).targetIndex(sourceIndex(index));
        }

        @Override
        public @Nullable Object preview(long index, Preview budget) {
            return isNull(index) ? null : source(index).preview(sourceIndex(index), budget);
        }

        @Override
        public @Nullable Object exact(long index) {
            return isNull(index) ? null : source(index).exact(sourceIndex(index));
        }

        @Override
        public boolean mayHaveNulls() {
            return true;
        }

        @Override
        public boolean getBoolean(long index) {
            return source(index).getBoolean(sourceIndex(index));
        }

        @Override
        public byte getByte(long index) {
            return source(index).getByte(sourceIndex(index));
        }

        @Override
        public short getShort(long index) {
            return source(index).getShort(sourceIndex(index));
        }

        @Override
        public int getInt(long index) {
            return source(index).getInt(sourceIndex(index));
        }

        @Override
        public long getLong(long index) {
            return source(index).getLong(sourceIndex(index));
        }

        @Override
        public float getFloat(long index) {
            return source(index).getFloat(sourceIndex(index));
        }

        @Override
        public double getDouble(long index) {
            return source(index).getDouble(sourceIndex(index));
        }

        @Override
        public BigDecimal getDecimal(long index) {
            return source(index).getDecimal(sourceIndex(index));
        }

        @Override
        public String getString(long index) {
            return source(index).getString(sourceIndex(index));
        }

        @Override
        public byte[] getBytes(long index) {
            return source(index).getBytes(sourceIndex(index));
        }

        @Override
        public Object valueAt(long index) {
            return source(index).valueAt(sourceIndex(index));
        }

        @Override
        public boolean sameValue(long index, ValueReader other, long otherIndex) {
            Indirect that = (Indirect) other;
            return source(index).sameValue(sourceIndex(index), that.source(otherIndex), that.sourceIndex(otherIndex));
        }
    }

    /** Indices into a dictionary. */
    static final class Dictionary extends Indirect {
        private final ValueReader indices;
        private final ValueReader dictionary;

        Dictionary(ArrayData data, @Nullable HostMemory validity, ValueReader indices, ValueReader dictionary) {
            super(data, validity);
            this.indices = indices;
            this.dictionary = dictionary;
        }

        @Override
        void endParts() {
            indices.end();
            dictionary.end();
        }

        @Override
        public long dictionaryIndex(long index) {
            return indices.getLong(index);
        }

        @Override
        public ValueReader getDictionary() {
            return dictionary;
        }

        @Override
        ValueReader source(long index) {
            return dictionary;
        }

        @Override
        long sourceIndex(long index) {
            return indices.getLong(index);
        }
    }

    /**
     * Runs of equal values. The run is found by binary search over the run ends, beginning with the run that was found
     * last.
     */
    static final class RunEndEncoded extends Indirect {
        private final ValueReader runEnds;
        private final ValueReader values;
        private long lastRun;

        RunEndEncoded(ArrayData data, ValueReader runEnds, ValueReader values) {
            super(data, null);
            this.runEnds = runEnds;
            this.values = values;
        }

        @Override
        void endParts() {
            runEnds.end();
            values.end();
        }

        @Override
        public int getChildCount() {
            return 2;
        }

        @Override
        public ValueReader child(int index) {
            return index == 0 ? runEnds : index == 1 ? values : super.child(index);
        }

        @Override
        public long runIndex(long index) {
            return sourceIndex(index);
        }

        @Override
        public boolean isSparse() {
            return true;
        }

        /** Compares run by run. */
        @Override
        public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
            if (!(other instanceof RunEndEncoded that)) {
                return super.sameRange(index, other, otherIndex, count);
            }
            long same = 0;
            while (same < count) {
                long run = runIndex(index + same);
                long otherRun = that.runIndex(otherIndex + same);
                if (!values.same(run, that.values, otherRun)) {
                    return false;
                }
                same += Math.min(rest(run, index + same), that.rest(otherRun, otherIndex + same));
            }
            return true;
        }

        /** The number of elements of a run from an index on, at least 1. */
        private long rest(long run, long index) {
            return runEnds.getLong(run) - position(index);
        }

        @Override
        ValueReader source(long index) {
            return values;
        }

        @Override
        long sourceIndex(long index) {
            long position = position(index);
            long guess = lastRun; // A hint, which is checked before use, so threads may share the reader.
            if (guess < runEnds.getLength() && position < runEnds.getLong(guess)) {
                if (guess == 0 || position >= runEnds.getLong(guess - 1)) {
                    return guess;
                }
            } else if (guess + 1 < runEnds.getLength()
                    && position >= runEnds.getLong(guess)
                    && position < runEnds.getLong(guess + 1)) {
                lastRun = guess + 1;
                return guess + 1;
            }
            long low = 0;
            long high = runEnds.getLength();
            while (low < high) {
                long middle = (low + high) >>> 1;
                if (runEnds.getLong(middle) > position) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            if (low == runEnds.getLength()) {
                throw new IllegalStateException("no run contains index " + index + ": the last run ends before it");
            }
            lastRun = low;
            return low;
        }
    }

    /** A field of a struct that is also null where the struct is null. */
    static final class StructField extends Indirect {
        private final ValueReader struct;
        private final ValueReader field;

        StructField(ArrayData data, ValueReader struct, ValueReader field) {
            super(data, null);
            this.struct = struct;
            this.field = field;
        }

        @Override
        void endParts() {
            struct.end();
            field.end();
        }

        @Override
        public boolean isNull(long index) {
            return struct.isNull(index) || field.isNull(index);
        }

        @Override
        ValueReader source(long index) {
            if (struct.isNull(index)) {
                throw nullValue(index);
            }
            return field;
        }

        @Override
        long sourceIndex(long index) {
            return index;
        }
    }

    /** The value of the child that a type id selects. */
    static final class Union extends Indirect {
        private final HostMemory typeIds;
        private final @Nullable Offsets denseOffsets;
        private final ValueReader[] children;
        private final int[] childOfTypeId = new int[128];

        Union(ArrayData data, HostMemory typeIds, @Nullable Offsets denseOffsets, ValueReader[] children) {
            super(data, null);
            this.typeIds = typeIds;
            this.denseOffsets = denseOffsets;
            this.children = children;
            Arrays.fill(childOfTypeId, -1);
            List<Integer> ids = ((UnionType) data.getType().storageType()).typeIds();
            for (int i = 0; i < ids.size(); i++) {
                childOfTypeId[ids.get(i)] = i;
            }
        }

        @Override
        void endParts() {
            for (ValueReader child : children) {
                child.end();
            }
        }

        @Override
        public int getChildCount() {
            return children.length;
        }

        @Override
        public ValueReader child(int index) {
            return index >= 0 && index < children.length ? children[index] : super.child(index);
        }

        @Override
        public int unionChild(long index) {
            byte typeId = typeIds.getByte(position(index));
            int child = typeId < 0 ? -1 : childOfTypeId[typeId];
            if (child < 0) {
                throw new IllegalStateException("the value at index " + index + " has type id " + typeId + ", which "
                        + Brief.type(getType()) + " lacks");
            }
            return child;
        }

        @Override
        public long unionOffset(long index) {
            return denseOffsets == null ? index(index) : denseOffsets.get(position(index));
        }

        /** The child and the value, which may be null there. */
        @Override
        public Object exact(long index) {
            int child = unionChild(index);
            return new MapEntry(child, children[child].exact(unionOffset(index)));
        }

        @Override
        ValueReader source(long index) {
            return children[unionChild(index)];
        }

        @Override
        long sourceIndex(long index) {
            return denseOffsets == null ? index : denseOffsets.get(position(index));
        }

        @Override
        public boolean sameValue(long index, ValueReader other, long otherIndex) {
            return unionChild(index) == other.unionChild(otherIndex) && super.sameValue(index, other, otherIndex);
        }
    }
}
