package dev.arrowdevice.testkit.device;

import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.spi.NativeMemory;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a simulated device: an address for users, and bytes that only the simulation accesses. The addresses of all
 * simulated devices are one address space, as those of real GPUs are.
 */
final class Allocation {
    /**
     * Device addresses begin here. No system maps memory at them (on x86-64 they are not even canonical), so reading
     * one on the host crashes at once instead of returning something by luck.
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
     * Allocates memory.
     *
     * @param readable whether the host may read the address
     * @param ready false if the memory may be used only after {@link #becomeReady}
     */
    Allocation(InProcessDriver driver, MemoryKind kind, long byteSize, boolean readable, boolean ready) {
        this.driver = driver;
        this.kind = kind;
        this.byteSize = byteSize;
        this.ready = ready;
        heapBlock = NativeMemory.allocate(byteSize + ALIGNMENT);
        bytes = (heapBlock + ALIGNMENT - 1) & -ALIGNMENT;
        fillWithJunk();
        // A free page follows each allocation, and no address is used twice. So an access past the end, or after the
        // free, hits no other buffer.
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

    /** Whether an address is, or was, one of a simulated device. */
    static boolean isDeviceAddress(long address) {
        return address >= FIRST_ADDRESS && address < LAST_ADDRESS;
    }

    /** The live memory that an address is in, or null. */
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

    /** The real address of the bytes. */
    long bytesAt(long deviceAddress) {
        return bytes + (deviceAddress - address);
    }

    /** Called when the queue that allocates this memory has got to the allocation. */
    synchronized void becomeReady() {
        ready = true;
    }

    /** Begins a use. The result is null, or the reason why the use is a mistake. */
    synchronized @Nullable String use() {
        if (freed) {
            return "the memory has been freed";
        }
        if (!ready) {
            return "the queue that allocates the memory has not got there yet: wait for an event recorded there";
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

    /** Notes that the memory will be freed, now or in a queue's order. False if that was noted before. */
    synchronized boolean promiseFree() {
        boolean first = !freePromised;
        freePromised = true;
        return first;
    }

    synchronized boolean isFreePromised() {
        return freePromised;
    }

    /** Frees the memory, once. The result is the number of operations that use it at this moment. */
    synchronized int free() {
        freed = true;
        LIVE.remove(address);
        if (users == 0) {
            NativeMemory.free(heapBlock);
        }
        return users;
    }
}
