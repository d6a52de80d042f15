package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** The values of a dictionary that a batch had. They are a copy: the batch, with all its columns, can be released. */
final class SeenDictionary implements AutoCloseable {
    private final DeviceArray copy;
    /** Those of the last batch that had them: most batches have the same memory for it, which need not be compared. */
    private WeakReference<ArrayData> original;

    SeenDictionary(ArrayData values) {
        try (DeviceArray array = borrowed(values)) {
            this.copy = array.copyTo(Device.CPU);
        }
        this.original = new WeakReference<>(values);
    }

    ArrayData values() {
        return copy.getData();
    }

    /** Whether it is the same memory, also below. */
    boolean isSame(ArrayData other) {
        ArrayData mine = original.get();
        boolean same = mine != null && isSame(mine, other);
        if (same && mine != other) {
            original = new WeakReference<>(other);
        }
        return same;
    }

    /** Whether the values are the same. */
    boolean isEqual(ArrayData other) {
        boolean equal = other.getLength() == values().getLength() && isPrefixOf(other);
        if (equal) {
            original = new WeakReference<>(other);
        }
        return equal;
    }

    private static boolean isSame(@Nullable ArrayData left, @Nullable ArrayData right) {
        if (left == right) {
            return true;
        }
        if (left == null
                || right == null
                || left.getLength() != right.getLength()
                || left.getOffset() != right.getOffset()
                || left.getBufferCount() != right.getBufferCount()
                || left.getChildCount() != right.getChildCount()) {
            return false;
        }
        boolean same = isSame(left.getDictionary(), right.getDictionary());
        for (int i = 0; same && i < left.getBufferCount(); i++) {
            same = left.buffer(i) == right.buffer(i);
        }
        for (int i = 0; same && i < left.getChildCount(); i++) {
            same = isSame(left.child(i), right.child(i));
        }
        return same;
    }

    /** Whether the other one begins with these values. */
    boolean isPrefixOf(ArrayData other) {
        if (other.getLength() < values().getLength()) {
            return false;
        }
        try (DeviceArray theirs = borrowed(other.slice(0, values().getLength()))) {
            return copy.valuesEqual(theirs);
        }
    }

    /** An array for reading, while the caller keeps the memory alive. */
    static DeviceArray borrowed(ArrayData values) {
        return OwnedArrays.of(values, ReferenceCounted.nothing());
    }

    @Override
    public void close() {
        copy.close();
    }
}
