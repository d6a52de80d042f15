package dev.arrowdevice;

import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.memory.SegmentMemory;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Structs and buffers as {@link MemorySegment}s, for code that reads them with layouts of its own. Each segment is
 * bounded, and valid until the function returns, on the calling thread. A use after that throws
 * {@link IllegalStateException}, a use on another thread throws {@code WrongThreadException}. Neither touches the
 * memory.
 *
 * <p>To pass a struct to a native function, {@code MemorySegment.ofAddress(struct.getAddress())} is enough.
 *
 * <p>This is the only class of its package that needs {@code java.lang.foreign}, of Java 22 or newer. No other class
 * refers to it.
 */
public final class MemorySegments {
    private MemorySegments() {}

    /**
     * Borrows the memory of a struct, to read and write. If the function closes the struct, the close takes effect at
     * the end of the borrow.
     *
     * @throws IllegalStateException if the struct's memory has been freed
     */
    @SuppressWarnings("restricted")
    public static <R> R borrow(CStruct struct, Function<? super MemorySegment, ? extends R> use) {
        long address = struct.beginUse();
        try (Arena scope = Arena.ofConfined()) {
            return use.apply(MemorySegment.ofAddress(address).reinterpret(struct.getByteSize(), scope, null));
        } finally {
            struct.endUse();
        }
    }

    /**
     * Borrows the buffers of an array, read-only, in the order of its layout, without the buffers of children and of a
     * dictionary. For a buffer that is absent (validity without nulls) the list has {@link MemorySegment#NULL}. Offsets
     * and bits are counted from the array's {@code getData().getOffset()}. Waits until the values are there.
     *
     * @throws IllegalStateException after the owner was closed or moved
     * @throws UnreadableDeviceException if the host can't read one of the buffers
     * @throws UnsupportedOperationException without native access
     */
    public static <R> R borrow(ArrayView array, Function<? super List<MemorySegment>, ? extends R> use) {
        Platform.requireNativeAccess("MemorySegments.borrow");
        array.ownership.state.beginRead("borrow");
        try (Arena scope = Arena.ofConfined()) {
            array.awaitReady();
            ArrayData data = array.getData();
            List<MemorySegment> segments = new ArrayList<>(data.getBufferCount());
            for (int i = 0; i < data.getBufferCount(); i++) {
                DeviceBuffer buffer = data.buffer(i);
                segments.add(buffer == null ? MemorySegment.NULL : segment(buffer, scope));
            }
            return use.apply(List.copyOf(segments));
        } finally {
            array.ownership.state.endRead();
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment segment(DeviceBuffer buffer, Arena scope) {
        MemorySegment whole = ((SegmentMemory) buffer.memory()).segment();
        return whole.asSlice(0, buffer.getByteSize()).reinterpret(scope, null).asReadOnly();
    }
}
