package dev.arrowdevice.testkit.device;

import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeMemory;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a simulated device: an address for users, and bytes that only the simulation knows. The addresses of all
 * simulated devices form one space, as those of real GPUs do.
 */
final class Allocation {
    /**
     * Device addresses begin here. No system maps memory at them (on x86-64 they are not even canonical), so that whoever
     * follows one on the host crashes at once instead of reading something by luck.
     */
    private static final long FIRST_ADDRESS = 0x0150_0000_0000_0000L;

    private static final long LAST_ADDRESS = 0x0160_0000_0000_0000L;
    private static final long PAGE = 4096;
    private static final long ALIGNMENT = 64;
    private static final byte JUNK = (byte) 0xDB;
    private static final int JUNK_PIECE = 1 << 16;

    private static final ConcurrentSkipListMap<Long, Allocation> LIVE = new ConcurrentSkipListMap<>();
    private static final AtomicLong NEXT_ADDRESS = new AtomicLong(FIRST_ADDRESS);

    final InProcessDriver driver;
    final MemoryKind kind;
    final long address;
    final long byteSize;
    private final long heapBlock;
    private final long bytes;
    private boolean ready;
    private boolean freePromised;
    private boolean freed;
    private int users;

    /**
     * Allocates.
     *
     * @param readable whether the host may follow the address
     * @param ready whether the memory may be used at once, and not only once a queue has come that far
     */
    Allocation(InProcessDriver driver, MemoryKind kind, long byteSize, boolean readable, boolean ready) {
        this.driver = driver;
        this.kind = kind;
        this.byteSize = byteSize;
        this.ready = ready;
        heapBlock = NativeMemory.allocate(byteSize + ALIGNMENT);
        bytes = (heapBlock + ALIGNMENT - 1) & -ALIGNMENT;
        fillWithJunk();
        // A page between two allocations and no address used twice: whoever is wrong about a buffer's end or end of
        // life
        // meets no other buffer.
        address = readable ? bytes : NEXT_ADDRESS.getAndAdd(((byteSize + PAGE - 1) & -PAGE) + PAGE);
        LIVE.put(address, this);
    }

    private void fillWithJunk() {
        byte[] junk = new byte[(int) Math.min(byteSize, JUNK_PIECE)];
        Arrays.fill(junk, JUNK);
        NativeMemory.putBytes(bytes, junk);
        for (long done = junk.length; done < byteSize; done += JUNK_PIECE) {
            NativeMemory.copy(bytes, bytes + done, Math.min(JUNK_PIECE, byteSize - done));
        }
    }

    /** Whether an address is one of a simulated device, of memory that lives or not. */
    static boolean isDeviceAddress(long address) {
        return address >= FIRST_ADDRESS && address < LAST_ADDRESS;
    }

    /** The live memory that an address points into, or null. */
    static @Nullable Allocation find(long address) {
        Map.Entry<Long, Allocation> floor = LIVE.floorEntry(address);
        if (floor == null || address - floor.getKey() >= floor.getValue().byteSize) {
            return null;
        }
        return floor.getValue();
    }

    /** The live memory that begins at an address, or null. */
    static @Nullable Allocation at(long address) {
        return LIVE.get(address);
    }

    /** Where the bytes really are. */
    long bytesAt(long deviceAddress) {
        return bytes + (deviceAddress - address);
    }

    /** The queue in whose order it was allocated has come this far. */
    synchronized void becomeReady() {
        ready = true;
    }

    /** Begins to use it; the result is null, or why that is wrong. */
    synchronized @Nullable String use() {
        if (freed) {
            return "the memory has been freed";
        }
        if (!ready) {
            return "the queue that allocates the memory has not come so far: wait for an event recorded there";
        }
        users++;
        return null;
    }

    /** Ends a use. */
    synchronized void endUse() {
        users--;
        if (freed && users == 0) {
            NativeMemory.free(heapBlock);
        }
    }

    /** Notes that it will be freed, now or in a queue's order; false if that has been noted before. */
    synchronized boolean promiseFree() {
        boolean first = !freePromised;
        freePromised = true;
        return first;
    }

    synchronized boolean isFreePromised() {
        return freePromised;
    }

    /** Frees it, once; the result is how many works use it at this moment. */
    synchronized int free() {
        freed = true;
        LIVE.remove(address);
        if (users == 0) {
            NativeMemory.free(heapBlock);
        }
        return users;
    }
}
