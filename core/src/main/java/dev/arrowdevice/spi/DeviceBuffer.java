package dev.arrowdevice.spi;

import dev.arrowdevice.DelicateArrowApi;
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
 * <p>A buffer does not own its memory; its {@link #getOwner() owner} does. Many buffers may share one owner, as all
 * buffers of an imported array do. Whoever keeps a buffer must keep a reference to its owner.
 */
public final class DeviceBuffer {
    /** The size of a buffer if it is not known. Some sizes are only in memory that the host can't read. */
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
     * Describes memory at an address. Takes no reference.
     *
     * @param byteSize the size in bytes, for which the caller is responsible, or {@link #UNKNOWN_SIZE}
     * @param owner keeps the memory alive
     * @throws IllegalArgumentException if the size is negative, or the address is 0 with a size above 0
     */
    @DelicateArrowApi
    public static DeviceBuffer ofAddress(Device device, long address, long byteSize, ReferenceCounted owner) {
        if (byteSize < UNKNOWN_SIZE || (address == 0 && byteSize > 0)) {
            throw new IllegalArgumentException("a buffer of " + byteSize + " bytes at address " + address);
        }
        return new DeviceBuffer(device, address, byteSize, owner, false, null);
    }

    /**
     * Describes memory of a device that the host can read, such as pinned memory, whether or not a runtime is
     * registered for the device. Takes no reference.
     */
    @DelicateArrowApi
    public static DeviceBuffer ofHostAddress(Device device, long address, long byteSize, ReferenceCounted owner) {
        if (byteSize < 0 || address == 0) {
            throw new IllegalArgumentException("a buffer of " + byteSize + " bytes at address " + address);
        }
        return new DeviceBuffer(device, address, byteSize, owner, true, SegmentMemory.ofAddress(address, byteSize));
    }

    /**
     * Describes the bytes of a direct byte buffer, such as a mapped file, from its position to its limit, as CPU
     * memory. Copies nothing, and works on every Java. The byte buffer stays reachable as long as there are references
     * to the result's {@linkplain #getOwner owner}. The caller has the first reference.
     *
     * @param release runs after the last release of a reference, on the thread that released it; what it throws is
     *     logged
     * @throws IllegalArgumentException if the byte buffer is on the heap
     */
    public static DeviceBuffer ofByteBuffer(ByteBuffer buffer, Runnable release) {
        BufferOwner owner = new BufferOwner(buffer, release);
        return ofHostMemory(Device.CPU, owner.memory(), buffer.remaining(), owner);
    }

    /**
     * Describes host memory as memory of a device. Takes no reference.
     *
     * @param byteSize the number of bytes that belong to the buffer
     * @param owner keeps the memory alive
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
     * The address of the first byte: a device pointer, which the device's runtime understands.
     *
     * @throws UnsupportedOperationException on a runtime without {@code java.lang.foreign}
     */
    public long getAddress() {
        if (!Platform.HAS_FOREIGN_MEMORY) {
            throw Platform.needsForeignMemory("the address of a buffer");
        }
        return address;
    }

    /**
     * The size in bytes, or {@link #UNKNOWN_SIZE}. Memory that this SDK allocated is padded with zeros to a multiple of
     * 64 bytes, which do not count here.
     */
    public long getByteSize() {
        return byteSize;
    }

    /** Keeps the memory alive. */
    public ReferenceCounted getOwner() {
        return owner;
    }

    /**
     * The first {@code newByteSize} bytes, as a buffer with the same owner.
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
     * A range of bytes, as a buffer with the same owner.
     *
     * @throws IndexOutOfBoundsException if the range is not within the buffer
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
     * Whether the host can read and write this memory. That is so for the CPU's memory, for devices whose memory the
     * host can read, and for addresses that a runtime knows to be host-readable.
     */
    public boolean isHostReadable() {
        return memory != null || device.isCpu() || Devices.isHostReadable(device, address);
    }

    /** Whether the host can read this memory, and a device can copy directly from it. */
    public boolean isPinned() {
        return pinned || (!device.isCpu() && isHostReadable());
    }

    /**
     * The same buffer together with its padding, up to a multiple of 64 bytes, as far as the padding is known to be
     * there. Host memory that this SDK allocated has all of it.
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
     * Checks that a range is within the buffer.
     *
     * @throws IndexOutOfBoundsException if it is not
     */
    public void checkRange(long offset, long rangeSize) {
        // Like Objects.checkFromIndexSize for longs. Android 13 has only the one for ints.
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
     * Lends the bytes of buffers that the host can read. They can be used until the block returns, on its thread. A read
     * after that, or on another thread, throws {@link IllegalStateException} and does not touch the memory. (Without
     * native access, the memory keeps itself alive, and such a read is not noticed.) Meanwhile the caller must have a
     * reference to the memory.
     *
     * @throws UnreadableDeviceException if the host can't read one of the buffers
     */
    public static void lend(List<DeviceBuffer> buffers, Consumer<? super List<HostMemory>> block) {
        try (BorrowScope scope = BorrowScope.open()) {
            List<HostMemory> scoped = new ArrayList<>(buffers.size());
            for (DeviceBuffer buffer : buffers) {
                scoped.add(scope.bind(buffer.memory()));
            }
            block.accept(List.copyOf(scoped));
        }
    }
}
