package dev.arrowdevice.builder;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.internal.memory.Lost;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of one tree share: the source of their memory, and a list of all memory that was allocated and not
 * yet moved into an array. Closing it frees that memory, whatever state the builders are in.
 */
final class BuildMemory {
    private static final int LARGEST_KEPT_SCRATCH = 1 << 20;
    private static final long SMALL_CAPACITY = 1 << 12;
    private static final long LARGE_CAPACITY = 1 << 23;
    private static final long LARGE_BYTES = 1 << 26;

    private final DeviceRuntime runtime;
    private final boolean hostReadable;
    private final UnaryOperator<Object> adapter;
    private final boolean untouchedIsFree;
    private final Ledger ledger = new Ledger();
    private final List<DeviceArray> borrowed = new ArrayList<>();
    private @Nullable Throwable halfway;
    private byte[] scratch = {};
    private short[] shortScratch = {};

    BuildMemory(DeviceRuntime runtime, UnaryOperator<Object> adapter) {
        this.runtime = runtime;
        this.hostReadable = runtime.allocatesHostReadable();
        this.adapter = adapter;
        // Pinned memory is not, and memory that the garbage collector frees is cleared when it is made.
        this.untouchedIsFree = runtime == CpuRuntime.INSTANCE && Platform.hasNativeAccess();
    }

    /** Makes the leak detection watch the root of the tree. */
    void watch(ArrayBuilder root) {
        ledger.watchedBy(new Net(root, ledger));
    }

    /** The device of the memory: the runtime's own, or the CPU if the host can't write to that one. */
    Device device() {
        return hostReadable ? runtime.getDevice() : Device.CPU;
    }

    /**
     * The capacity that follows a capacity, in elements. Small ones grow fourfold, so that little is copied. Large ones
     * grow eightfold where memory that is never touched takes no room. The largest ones double, because the system
     * refuses a block that is larger than the machine's memory, touched or not.
     */
    long grown(long capacity, int bytesPerElement) {
        if (capacity >= LARGE_CAPACITY || capacity * bytesPerElement >= LARGE_BYTES) {
            return capacity * 2;
        }
        return capacity * (capacity < SMALL_CAPACITY ? 4 : untouchedIsFree ? 8 : 2);
    }

    DeviceBuffer allocate(long byteSize) {
        DeviceBuffer buffer = hostReadable ? runtime.allocate(byteSize) : runtime.allocateForCopy(byteSize);
        ledger.add(buffer.getOwner());
        return buffer;
    }

    void free(DeviceBuffer buffer) {
        ledger.remove(buffer.getOwner());
        buffer.getOwner().release();
    }

    /** Takes a reference, which moves with the rest. */
    void adopt(ReferenceCounted owner) {
        ledger.adopt(owner);
    }

    /** Closes an array together with the builders. */
    void closeLater(DeviceArray array) {
        borrowed.add(array);
    }

    /**
     * The array in this memory, or its copy on the runtime's device, which then has an event. Afterwards the list is
     * empty, also on failure.
     */
    DeviceArray move(ArrayData data) {
        DeviceArray array = Owners.array(data, ledger.move(), null);
        if (hostReadable) {
            return array;
        }
        try (array) {
            return array.copyToAsync(runtime, runtime.getDefaultQueue());
        }
    }

    void requireOpen(String operation) {
        if (ledger.isClosed()) {
            throw halfway == null
                    ? new IllegalStateException(operation + ": the builder has been closed")
                    : new IllegalStateException(
                            operation + ": the builder has been closed: an append failed half-way: " + halfway,
                            halfway);
        }
    }

    /** Keeps the reason why the builders are about to be closed, for {@link #requireOpen}. The first reason counts. */
    void failedHalfway(Throwable reason) {
        if (halfway == null) {
            halfway = reason;
        }
    }

    boolean isClosed() {
        return ledger.isClosed();
    }

    void close() {
        ledger.close();
        borrowed.forEach(DeviceArray::close);
    }

    /** Converts a value of a class that no builder knows to one that they know, or returns it as it is. */
    Object adapt(Object value) {
        return adapter.apply(value);
    }

    /** Bytes to work in, at least {@code size} of them. The next call overwrites them. */
    byte[] scratch(int size) {
        if (size <= scratch.length) {
            return scratch;
        }
        byte[] larger = new byte[Math.max(size, 256)];
        if (size <= LARGEST_KEPT_SCRATCH) {
            scratch = larger;
        }
        return larger;
    }

    /** As {@link #scratch}. */
    short[] shortScratch(int size) {
        if (size > shortScratch.length) {
            shortScratch = new short[size];
        }
        return shortScratch;
    }

    private static final class Net extends Leaks.Watch {
        private final Ledger ledger;

        Net(ArrayBuilder root, Ledger ledger) {
            super(root);
            this.ledger = ledger;
        }

        @Override
        protected Lost lost() {
            return new Lost("a builder that was never closed");
        }

        @Override
        protected boolean releaseLeaked() {
            return ledger.close();
        }
    }

    /** What the leak detection may keep: it does not refer to the builders. Synchronised, because another thread closes leaks. */
    private static final class Ledger {
        private final Set<ReferenceCounted> live = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<ReferenceCounted> adopted = new ArrayList<>();
        private @Nullable Net net;
        private boolean closed;

        synchronized void watchedBy(Net newNet) {
            net = newNet;
        }

        synchronized void add(ReferenceCounted owner) {
            live.add(owner);
        }

        synchronized void remove(ReferenceCounted owner) {
            live.remove(owner);
        }

        synchronized void adopt(ReferenceCounted owner) {
            adopted.add(owner);
        }

        synchronized boolean isClosed() {
            return closed;
        }

        synchronized ReferenceCounted move() {
            adopted.addAll(live);
            live.clear();
            ReferenceCounted all = ReferenceCounted.all(adopted.toArray(new ReferenceCounted[0]));
            adopted.clear();
            return all;
        }

        synchronized boolean close() {
            boolean leaked = !live.isEmpty() || !adopted.isEmpty();
            if (!closed && net != null) {
                net.end();
            }
            closed = true;
            move().release();
            return leaked;
        }
    }
}
