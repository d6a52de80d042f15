package dev.arrowdevice.internal.operations;

import dev.arrowdevice.Device;
import dev.arrowdevice.internal.memory.HostAllocation;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a result: what was allocated for it, and the buffers of inputs that it shares. Until {@link #owner}
 * hands it to the result, {@link #close} releases it.
 */
final class Output implements AutoCloseable {
    /** One reference to each belongs to this. */
    private final Set<ReferenceCounted> owners = Collections.newSetFromMap(new IdentityHashMap<>());

    /** A new buffer on the CPU. Its padding is zero; its content is undefined. */
    DeviceBuffer allocate(long byteSize) {
        DeviceBuffer buffer = HostAllocation.allocate(Device.CPU, byteSize);
        owners.add(buffer.getOwner());
        return buffer;
    }

    /**
     * A new buffer with {@code slack} writable bytes beyond its end, which {@link #trim} sets to zero.
     *
     * @throws ArithmeticException if the size overflows
     */
    DeviceBuffer allocateWithSlack(long byteSize, int slack) {
        return allocate(Math.addExact(byteSize, slack)).truncate(byteSize);
    }

    /** Sets what is behind the end of a buffer with slack to zero. */
    static void trim(DeviceBuffer buffer) {
        HostMemory memory = buffer.memory();
        memory.fill(buffer.getByteSize(), memory.getByteSize() - buffer.getByteSize(), (byte) 0);
    }

    /** Keeps a buffer of an input for the result. Returns it. */
    @Nullable
    DeviceBuffer share(@Nullable DeviceBuffer buffer) {
        if (buffer != null && !owners.contains(buffer.getOwner())) {
            buffer.getOwner().retain();
            owners.add(buffer.getOwner());
        }
        return buffer;
    }

    /** Keeps all buffers of an array for the result. Returns it. */
    ArrayData share(ArrayData array) {
        for (int i = 0; i < array.getBufferCount(); i++) {
            share(array.buffer(i));
        }
        for (int i = 0; i < array.getChildCount(); i++) {
            share(array.child(i));
        }
        ArrayData dictionary = array.getDictionary();
        if (dictionary != null) {
            share(dictionary);
        }
        return array;
    }

    /** The bitmap of an array for offset 0: shared if the array has that offset, else a copy; null if there are no nulls. */
    @Nullable
    DeviceBuffer validity(ArrayData array) {
        BitSource bits = Gather.validityOf(array);
        if (bits == null || array.getOffset() == 0) {
            return bits == null ? null : share(array.buffer(0));
        }
        DeviceBuffer copy = allocate(Bits.byteSize(array.getLength()));
        BitWriter writer = new BitWriter(copy.memory());
        writer.append(bits, 0, array.getLength());
        writer.finish();
        return copy;
    }

    /** The one owner of everything, which now belongs to the result. */
    ReferenceCounted owner() {
        ReferenceCounted owner = ReferenceCounted.all(owners.toArray(new ReferenceCounted[0]));
        owners.clear();
        return owner;
    }

    @Override
    public void close() {
        owners.forEach(ReferenceCounted::release);
        owners.clear();
    }
}
