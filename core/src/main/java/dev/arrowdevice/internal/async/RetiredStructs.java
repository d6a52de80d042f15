package dev.arrowdevice.internal.async;

import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import java.util.ArrayDeque;

/**
 * The memory of handlers and producers. Some peers call such a struct once more after the end: consumers request more
 * while they extract their last task, after the stream was released. So a retired struct stays readable until many more
 * have been retired. Its {@code private_data} refers to nothing by then, so a late call does nothing.
 */
public final class RetiredStructs {
    private static final int KEPT = 2048;

    private static final ArrayDeque<Long> RETIRED = new ArrayDeque<>();

    private RetiredStructs() {}

    /** Allocates zeroed memory for a struct. */
    public static long allocate(long byteSize) {
        long struct = CHeap.allocate(byteSize);
        RawMemory.zero(struct, byteSize);
        return struct;
    }

    /** Frees a struct of {@link #allocate}, later. */
    public static void retire(long struct) {
        long oldest = 0;
        synchronized (RETIRED) {
            RETIRED.add(struct);
            if (RETIRED.size() > KEPT) {
                oldest = RETIRED.remove();
            }
        }
        if (oldest != 0) {
            CHeap.free(oldest);
        }
    }
}
