package dev.arrowdevice.internal.reading;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Readers of lists, maps and structs. */
final class NestedReaders {
    private NestedReaders() {}

    /** Reads every type whose value is a range of its one child. */
    abstract static class Ranges extends ValueReader {
        private final ValueReader elements;

        Ranges(ArrayData data, @Nullable HostMemory validity, ValueReader elements) {
            super(data, validity);
            this.elements = elements;
        }

        @Override
        void endParts() {
            elements.end();
        }

        @Override
        public final int getChildCount() {
            return 1;
        }

        @Override
        public final ValueReader child(int index) {
            return index == 0 ? elements : super.child(index);
        }

        @Override
        public Object valueAt(long index) {
            long start = listStart(index);
            long size = listSize(index);
            checkRange(index, start, size);
            // Elements may need no memory at all, so the size of memory says nothing about how many there are.
            List<@Nullable Object> values = new ArrayList<>((int) Math.min(size, 1024));
            for (long i = start; i < start + size; i++) {
                values.add(element(elements, i));
            }
            return Collections.unmodifiableList(values);
        }

        @Override
        public @Nullable Object preview(long index, Preview budget) {
            if (isNull(index)) {
                return null;
            }
            long start = listStart(index);
            long size = listSize(index);
            checkRange(index, start, size);
            List<@Nullable Object> values = new ArrayList<>();
            for (long i = start; i < start + size; i++) {
                if (!budget.take(values.size())) {
                    values.add(Preview.MORE);
                    break;
                }
                values.add(elementPreview(elements, i, budget));
            }
            return values;
        }

        @Nullable
        Object elementPreview(ValueReader reader, long position, Preview budget) {
            return reader.preview(position, budget);
        }

        @Nullable
        Object element(ValueReader reader, long position) {
            return reader.getObject(position);
        }

        @Override
        public @Nullable Object exact(long index) {
            if (isNull(index)) {
                return null;
            }
            long start = listStart(index);
            long size = listSize(index);
            checkRange(index, start, size);
            List<@Nullable Object> values = new ArrayList<>((int) Math.min(size, 1024));
            for (long i = start; i < start + size; i++) {
                values.add(exactElement(elements, i));
            }
            return values;
        }

        @Nullable
        Object exactElement(ValueReader reader, long position) {
            return reader.exact(position);
        }

        @Override
        public final boolean sameValue(long index, ValueReader other, long otherIndex) {
            long size = listSize(index);
            if (size != other.listSize(otherIndex)) {
                return false;
            }
            long start = listStart(index);
            long otherStart = other.listStart(otherIndex);
            ValueReader otherElements = other.child(0);
            if (elements.isSparse()) {
                return elements.sameRange(start, otherElements, otherStart, size);
            }
            for (long i = 0; i < size; i++) {
                if (!elements.same(start + i, otherElements, otherStart + i)) {
                    return false;
                }
            }
            return true;
        }

        private void checkRange(long index, long start, long size) {
            if (start < 0 || size < 0 || start > elements.getLength() - size || size > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("the list at index " + index + " has " + size + " elements from "
                        + start + " of a child of length " + elements.getLength());
            }
        }
    }

    /** Lists between two consecutive offsets. */
    static class OffsetList extends Ranges {
        private final Offsets offsets;

        OffsetList(ArrayData data, @Nullable HostMemory validity, Offsets offsets, ValueReader elements) {
            super(data, validity, elements);
            this.offsets = offsets;
        }

        @Override
        public final long listStart(long index) {
            return offsets.get(valuePosition(index));
        }

        @Override
        public final long listSize(long index) {
            long position = valuePosition(index);
            return offsets.get(position + 1) - offsets.get(position);
        }
    }

    /** A map: a list of structs of key and value. */
    static final class MapEntries extends OffsetList {
        MapEntries(ArrayData data, @Nullable HostMemory validity, Offsets offsets, ValueReader entries) {
            super(data, validity, offsets, entries);
        }

        @Override
        @Nullable
        Object element(ValueReader entries, long position) {
            Object key = entries.child(0).getObject(position);
            Object value = entries.child(1).getObject(position);
            return new MapEntry(key, value);
        }

        @Override
        Object exactElement(ValueReader entries, long position) {
            Object key = entries.child(0).exact(position);
            Object value = entries.child(1).exact(position);
            return new MapEntry(key, value);
        }

        @Override
        Object elementPreview(ValueReader entries, long position, Preview budget) {
            Object key = entries.child(0).preview(position, budget);
            Object value = entries.child(1).preview(position, budget);
            return new MapEntry(key, value);
        }
    }

    /** Lists with an offset and a size each, in any order; they may overlap. */
    static final class ListView extends Ranges {
        private final Offsets offsets;
        private final Offsets sizes;

        ListView(ArrayData data, @Nullable HostMemory validity, Offsets offsets, Offsets sizes, ValueReader elements) {
            super(data, validity, elements);
            this.offsets = offsets;
            this.sizes = sizes;
        }

        @Override
        public long listStart(long index) {
            return offsets.get(valuePosition(index));
        }

        @Override
        public long listSize(long index) {
            return sizes.get(valuePosition(index));
        }
    }

    /** Lists of a fixed size. */
    static final class FixedSizeList extends Ranges {
        private final int listSize;

        FixedSizeList(ArrayData data, @Nullable HostMemory validity, ValueReader elements, int listSize) {
            super(data, validity, elements);
            this.listSize = listSize;
        }

        @Override
        public long listStart(long index) {
            return valuePosition(index) * listSize;
        }

        @Override
        public long listSize(long index) {
            valuePosition(index);
            return listSize;
        }

        @Override
        public boolean isSparse() {
            return true;
        }

        /** Without nulls, the elements of all lists are one range. */
        @Override
        public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
            if (count == 0 || mayHaveNulls() || other.mayHaveNulls()) {
                return super.sameRange(index, other, otherIndex, count);
            }
            return child(0).sameRange(listStart(index), other.child(0), other.listStart(otherIndex), count * listSize);
        }
    }

    /** A struct. Its children are sliced to its own offset and length. */
    static final class Struct extends ValueReader {
        private final List<Field> fields;
        private final ValueReader[] children;

        Struct(ArrayData data, @Nullable HostMemory validity, ValueReader[] children) {
            super(data, validity);
            this.fields = data.getType().storageType().children();
            this.children = children;
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
        public Object valueAt(long index) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (int i = 0; i < children.length; i++) {
                values.put(fields.get(i).name(), children[i].getObject(index));
            }
            return Collections.unmodifiableMap(values);
        }

        @Override
        public @Nullable Object preview(long index, Preview budget) {
            if (isNull(index)) {
                return null;
            }
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            for (int i = 0; i < children.length; i++) {
                if (!budget.takeField()) {
                    values.put(fields.get(i).name(), Preview.MORE);
                    break;
                }
                values.put(fields.get(i).name(), children[i].preview(index, budget));
            }
            return values;
        }

        /** The values in the order of the fields, whose names may repeat. */
        @Override
        public @Nullable Object exact(long index) {
            if (isNull(index)) {
                return null;
            }
            @Nullable Object[] values = new Object[children.length];
            for (int i = 0; i < children.length; i++) {
                values[i] = children[i].exact(index);
            }
            return values;
        }

        @Override
        public boolean sameValue(long index, ValueReader other, long otherIndex) {
            return sameFields(index, other, otherIndex, 1);
        }

        @Override
        public boolean isSparse() {
            return true;
        }

        /** Without nulls, compares field by field. */
        @Override
        public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
            return mayHaveNulls() || other.mayHaveNulls()
                    ? super.sameRange(index, other, otherIndex, count)
                    : sameFields(index, other, otherIndex, count);
        }

        private boolean sameFields(long index, ValueReader other, long otherIndex, long count) {
            for (int i = 0; i < children.length; i++) {
                if (!children[i].sameRange(index, other.child(i), otherIndex, count)) {
                    return false;
                }
            }
            return true;
        }
    }
}
