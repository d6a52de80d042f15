package dev.arrowdevice.internal.copying;

import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes null counts that came unknown, also of memory that the host can't read: the bitmaps of a whole tree are
 * brought over in one pass, with one wait.
 */
public final class NullCounts {
    private NullCounts() {}

    /**
     * Computes the null counts of an array and everything below it. Does nothing where all are known, nor for a device
     * without a runtime.
     *
     * @param owner what keeps the array alive; the caller holds a reference
     * @param ready what the array's values wait for; it is awaited
     */
    public static void compute(ArrayData root, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        if (!anyUnknown(root)) {
            return; // As in almost every export, which is why this allocates nothing.
        }
        List<ArrayData> unknown = new ArrayList<>();
        collect(root, unknown);
        compute(unknown, owner, ready);
    }

    /** Computes the null count of an array, not of what is below it. */
    public static void computeOwn(ArrayData array, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        if (array.getKnownNullCount() == ArrayData.UNKNOWN_NULL_COUNT) {
            compute(List.of(array), owner, ready);
        }
    }

    private static boolean anyUnknown(ArrayData array) {
        boolean unknown = array.getKnownNullCount() == ArrayData.UNKNOWN_NULL_COUNT;
        for (int i = 0; i < array.getChildCount() && !unknown; i++) {
            unknown = anyUnknown(array.child(i));
        }
        ArrayData dictionary = array.getDictionary();
        return unknown || (dictionary != null && anyUnknown(dictionary));
    }

    private static void collect(ArrayData array, List<ArrayData> unknown) {
        if (array.getKnownNullCount() == ArrayData.UNKNOWN_NULL_COUNT) {
            unknown.add(array);
        }
        for (int i = 0; i < array.getChildCount(); i++) {
            collect(array.child(i), unknown);
        }
        ArrayData dictionary = array.getDictionary();
        if (dictionary != null) {
            collect(dictionary, unknown);
        }
    }

    private static void compute(List<ArrayData> arrays, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        Readback readback = new Readback();
        List<ArrayData> read = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        boolean awaited = false;
        for (ArrayData array : arrays) {
            DeviceBuffer bitmap = array.getValidity();
            if (bitmap == null || array.getLength() == 0) {
                array.getNullCount();
            } else if (bitmap.isHostReadable()) {
                if (ready != null && !awaited) {
                    ready.await();
                    awaited = true;
                }
                array.getNullCount();
            } else {
                long start = array.getOffset() >> 3;
                long byteSize = Bits.byteSize(array.getOffset() + array.getLength()) - start;
                positions.add(readback.add(bitmap, start, byteSize));
                read.add(array);
            }
        }
        DeviceRuntime runtime = read.isEmpty() ? null : Devices.find(read.get(0).getDevice());
        if (runtime == null) {
            return;
        }
        readback.run(runtime, ready, owner, memory -> {
            for (int i = 0; i < read.size(); i++) {
                ArrayData array = read.get(i);
                long firstBit = positions.get(i) * 8 + (array.getOffset() & 7);
                array.countedNulls(array.getLength() - Bits.countSet(memory, firstBit, array.getLength()));
            }
        });
    }
}
