package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import dev.arrowdevice.UnreadableDeviceException;
import dev.arrowdevice.internal.memory.BorrowScope;
import dev.arrowdevice.internal.memory.BufferOwner;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.memory.SegmentMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A contiguous range of bytes on one device.
 *
 * <p>A buffer does not own its memory; {@link #owner()} does. Many buffers may share one owner: all the buffers of an
 * imported array do. Who keeps a buffer must keep a reference to its owner.
 */
public final class DeviceBuffer {
    /** The size of a buffer whose size only memory that the host can't read tells. */
    public static final long UNKNOWN_SIZE = -1;

    private final Device device;
    private final long address;
    private final long byteSize;
    private final ReferenceCounted owner;
    private final boolean pinned;
    private @Nullable HostMemory memory;

    private DeviceBuffer(
            Device device,
            long address,
            long byteSize,
            ReferenceCounted owner,
            boolean pinned,
            @Nullable HostMemory memory) {
        this.device = device;
        this.address = address;
        this.byteSize = byteSize;
        this.owner = owner;
        this.pinned = pinned;
        this.memory = memory;
    }

    /**
     * Describes memory at an address. No reference is taken.
     *
     * @param byteSize the size in bytes, which the caller vouches for, or {@link #UNKNOWN_SIZE}
     * @param owner what keeps the memory alive
     * @throws IllegalArgumentException if the size is negative, or the address is 0 with a size above 0
     */
    public static DeviceBuffer ofAddress(Device device, long address, long byteSize, ReferenceCounted owner) {
        if (byteSize < UNKNOWN_SIZE || (address == 0 && byteSize > 0)) {
            throw new IllegalArgumentException("a buffer of " + byteSize + " bytes at address " + address);
        }
        return new DeviceBuffer(device, address, byteSize, owner, false, null);
    }

    /**
     * Describes memory of a device's runtime that the host can read, whether or not the runtime is registered: pinned
     * memory, for instance. No reference is taken.
     */
    public static DeviceBuffer ofHostAddress(Device device, long address, long byteSize, ReferenceCounted owner) {
        if (byteSize < 0 || address == 0) {
            throw new IllegalArgumentException("a buffer of " + byteSize + " bytes at address " + address);
        }
        return new DeviceBuffer(device, address, byteSize, owner, true, SegmentMemory.ofAddress(address, byteSize));
    }

    /**
     * The bytes of a direct byte buffer, from its position to its limit, as CPU memory; without a copy and on every Java. A
     * mapped file is such a buffer. The buffer stays reachable as long as there are references to the {@linkplain #getOwner
     * owner} of the result, whose first is the caller's.
     *
     * @param release runs when the last reference is gone, on the thread that gave it back; what it throws is reported,
     *     for nobody waits for it
     * @throws IllegalArgumentException if the buffer lies on the heap
     */
    public static DeviceBuffer ofByteBuffer(ByteBuffer buffer, Runnable release) {
        BufferOwner owner = new BufferOwner(buffer, release);
        return ofHostMemory(Device.CPU, owner.memory(), buffer.remaining(), owner);
    }

    /**
     * Describes host memory as a device's. No reference is taken.
     *
     * @param byteSize how many of the bytes belong to the buffer
     * @param owner what keeps the memory alive
     */
    public static DeviceBuffer ofHostMemory(Device device, HostMemory memory, long byteSize, ReferenceCounted owner) {
        long address = Platform.HAS_FOREIGN_MEMORY ? memory.getAddress() : 0;
        return new DeviceBuffer(device, address, byteSize, owner, false, memory);
    }

    /** The device that the memory belongs to. */
    public Device getDevice() {
        return device;
    }

    /**
     * The address of the first byte, a device pointer that is meaningful to the device's runtime.
     *
     * @throws UnsupportedOperationException on a runtime without {@code java.lang.foreign}
     */
    public long getAddress() {
        if (!Platform.HAS_FOREIGN_MEMORY) {
            throw Platform.needsForeignMemory("the address of a buffer");
        }
        return address;
    }

    /** The size in bytes, or {@link #UNKNOWN_SIZE}. Memory that this SDK allocated is padded with zeros to a multiple of 64 beyond it. */
    public long getByteSize() {
        return byteSize;
    }

    /** What keeps the memory alive. */
    public ReferenceCounted getOwner() {
        return owner;
    }

    /**
     * A view of the first {@code newByteSize} bytes with the same owner.
     *
     * @throws IndexOutOfBoundsException if the buffer is smaller than that
     */
    public DeviceBuffer truncate(long newByteSize) {
        if (newByteSize < 0 || newByteSize > byteSize) {
            throw new IndexOutOfBoundsException(newByteSize + " bytes of a buffer of " + byteSize);
        }
        return newByteSize == byteSize ? this : new DeviceBuffer(device, address, newByteSize, owner, pinned, memory);
    }

    /**
     * A view of a range with the same owner.
     *
     * @throws IndexOutOfBoundsException if the range lies outside the buffer
     */
    public DeviceBuffer slice(long offset, long newByteSize) {
        checkRange(offset, newByteSize);
        HostMemory known = memory;
        return new DeviceBuffer(
                device,
                address + offset,
                newByteSize,
                owner,
                pinned,
                known == null || offset == 0 ? known : known.slice(offset, newByteSize));
    }

    /**
     * Whether the host can read and write this memory: that of the CPU, of devices whose memory it can follow, and what a
     * runtime tells by its address.
     */
    public boolean isHostReadable() {
        return memory != null || device.isCpu() || Devices.isHostReadable(device, address);
    }

    /** Whether this is memory that the host can read and from which some device copies directly. */
    public boolean isPinned() {
        return pinned || (!device.isCpu() && isHostReadable());
    }

    /**
     * The same buffer with as much of the padding behind it, up to a multiple of 64 bytes, as is known to be there: memory
     * that this SDK allocated for the host has all of it.
     */
    public DeviceBuffer padded() {
        HostMemory known = memory;
        long padded = (byteSize + 63) & -64;
        if (known == null || byteSize < 0 || known.getByteSize() < padded) {
            return this;
        }
        return new DeviceBuffer(device, address, padded, owner, pinned, known);
    }

    /**
     * Checks that a range lies within the buffer.
     *
     * @throws IndexOutOfBoundsException if it does not
     */
    public void checkRange(long offset, long rangeSize) {
        // What Objects.checkFromIndexSize does for longs; Android 13 has that for ints only.
        if ((offset | rangeSize) < 0 || offset > byteSize - rangeSize) {
            throw new IndexOutOfBoundsException(
                    rangeSize + " bytes at offset " + offset + " of a buffer of " + byteSize + " bytes");
        }
    }

    /**
     * The bytes as host memory.
     *
     * @throws UnreadableDeviceException if the host can't read it
     */
    public HostMemory memory() {
        HostMemory known = memory;
        if (known == null) {
            if (!isHostReadable()) {
                throw new UnreadableDeviceException(device);
            }
            known = SegmentMemory.ofAddress(address, byteSize);
            memory = known; // A benign race: all threads make equal objects.
        }
        return known;
    }

    @Override
    public String toString() {
        return byteSize + " bytes on " + device;
    }

    /**
     * Lends the bytes of buffers that the host can read: they are usable only until the block returns and only on its
     * thread. A use after that throws {@link IllegalStateException}, one elsewhere a {@code WrongThreadException}, and
     * neither touches the memory. (On Java before 22 byte buffers keep their memory alive by themselves.) The caller holds
     * a reference to the memory meanwhile.
     *
     * @throws UnreadableDeviceException if the host can't read one of the buffers
     */
    public static void lend(List<DeviceBuffer> buffers, Consumer<? super List<HostMemory>> block) {
        try (BorrowScope scope = BorrowScope.open()) {
            List<HostMemory> lent = new ArrayList<>(buffers.size());
            for (DeviceBuffer buffer : buffers) {
                lent.add(scope.bind(buffer.memory()));
            }
            block.accept(List.copyOf(lent));
        }
    }
}
