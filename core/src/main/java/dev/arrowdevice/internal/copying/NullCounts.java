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
 * Computes unknown null counts, also in memory that the host can't read. For that, the bitmaps of the whole tree are
 * copied in one pass, with one wait.
 */
public final class NullCounts {
    private NullCounts() {}

    /**
     * Computes the null counts of an array and everything below it. Does nothing if all are known, or if the device has
     * no runtime.
     *
     * @param owner keeps the array alive; the caller must have a reference
     * @param ready completes when the array's values are there; this awaits it
     */
    public static void compute(ArrayData root, ReferenceCounted owner, @Nullable DeviceEvent ready) {
        if (!anyUnknown(root)) {
            return; // Almost every export ends here, so this allocates nothing.
        }
        List<ArrayData> unknown = new ArrayList<>();
        collect(root, unknown);
        compute(unknown, owner, ready);
    }

    /** Computes the null count of an array, without those below it. */
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
