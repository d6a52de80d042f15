package dev.arrowdevice.spi;

import dev.arrowdevice.internal.memory.LateFailures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pinned memory of a device that is kept for the next copies, by size, because pinning takes longer than most copies, and freeing
 * waits for all of the device's work. A block comes back when the event of its last copy is complete, so that nobody uses it. What
 * is kept has a bound, beyond which the blocks go that came back first.
 */
final class StagingCache {
    private static final String LIMIT = "dev.arrowdevice.staging";
    private static final long SMALLEST = 1 << 12;

    /** The caches of the devices that are open. */
    private static final Set<StagingCache> ALL = ConcurrentHashMap.newKeySet();

    private final DriverContext context;
    private final DeviceDriver driver;
    private final long limit;
    private final Map<Long, ArrayDeque<Long>> bySize = new HashMap<>();
    /** The sizes of all that is kept, by address, in the order in which it came back. */
    private final LinkedHashMap<Long, Long> inOrder = new LinkedHashMap<>();

    private long kept;

    StagingCache(DriverContext context, DeviceDriver driver) {
        this.context = context;
        this.driver = driver;
        long most = driver.keptStaging();
        this.limit = most > 0 ? Long.getLong(LIMIT, most) : 0;
        if (limit > 0) {
            ALL.add(this);
        }
    }

    /** The size of the block for a number of bytes: at most a quarter more. 0 if such blocks are not kept. */
    long blockSize(long byteSize) {
        if (byteSize > limit / 2) {
            return 0;
        }
        if (byteSize <= SMALLEST) {
            return SMALLEST;
        }
        long step = Long.highestOneBit(byteSize - 1) >> 2;
        return (byteSize + step - 1) & -step;
    }

    /** A block that nobody uses, the one that came back last, or 0. */
    synchronized long take(long blockSize) {
        ArrayDeque<Long> blocks = bySize.get(blockSize);
        Long address = blocks == null ? null : blocks.pollLast();
        if (address == null) {
            return 0;
        }
        inOrder.remove(address);
        kept -= blockSize;
        return address;
    }

    /**
     * Takes back a block that nobody uses. Does not call the driver.
     *
     * @return blocks that are too many, which the caller {@linkplain #free frees}
     */
    synchronized List<Long> giveBack(long address, long blockSize) {
        bySize.computeIfAbsent(blockSize, size -> new ArrayDeque<>()).addLast(address);
        inOrder.put(address, blockSize);
        kept += blockSize;
        return kept <= limit ? List.of() : removeDownTo(limit);
    }

    private synchronized List<Long> removeDownTo(long bytes) {
        List<Long> removed = new ArrayList<>();
        Iterator<Map.Entry<Long, Long>> oldest = inOrder.entrySet().iterator();
        while (kept > bytes) {
            Map.Entry<Long, Long> block = oldest.next();
            ArrayDeque<Long> blocks = bySize.get(block.getValue());
            if (blocks != null) {
                blocks.pollFirst();
            }
            kept -= block.getValue();
            removed.add(block.getKey());
            oldest.remove();
        }
        return removed;
    }

    /** Frees blocks. Failures are reported. */
    void free(List<Long> addresses) {
        for (long address : addresses) {
            LateFailures.reporting(() -> driver.free(MemoryKind.HOST, address));
        }
    }

    /** Frees all that is kept. False if that was nothing. */
    boolean trim() {
        List<Long> all = removeDownTo(0);
        free(all);
        return !all.isEmpty();
    }

    /** Frees all that is kept, when the device is closed. */
    void close() {
        ALL.remove(this);
        trim();
    }

    /** Frees what is kept for all devices. */
    static void trimAll() {
        for (StagingCache cache : ALL) {
            if (cache.context.tryRetain()) {
                try {
                    cache.trim();
                } finally {
                    cache.context.release();
                }
            }
        }
    }
}
