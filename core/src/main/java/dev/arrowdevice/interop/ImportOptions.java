package dev.arrowdevice.interop;

import dev.arrowdevice.Device;
import dev.arrowdevice.spi.DeviceQueue;
import org.jspecify.annotations.Nullable;

/** How a foreign array becomes a {@link dev.arrowdevice.DeviceArray}. Immutable: each method gives another one. */
public final class ImportOptions {
    private static final ImportOptions DEFAULTS = new ImportOptions(null, false, false, true, null, false, null, 0, -1);

    final @Nullable Device device;
    final boolean copying;
    final boolean writable;
    final boolean synchronizing;
    final @Nullable DeviceQueue queue;
    final boolean streamGiven;
    final @Nullable Long stream;
    final long start;
    final long byteSize;

    private ImportOptions(
            @Nullable Device device,
            boolean copying,
            boolean writable,
            boolean synchronizing,
            @Nullable DeviceQueue queue,
            boolean streamGiven,
            @Nullable Long stream,
            long start,
            long byteSize) {
        this.device = device;
        this.copying = copying;
        this.writable = writable;
        this.synchronizing = synchronizing;
        this.queue = queue;
        this.streamGiven = streamGiven;
        this.stream = stream;
        this.start = start;
        this.byteSize = byteSize;
    }

    /** No copy; the device that a DLPack tensor names. */
    public static ImportOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The device that the pointer belongs to. The CUDA and the SYCL interface name none, so they need this; of DLPack it is
     * checked against the tensor's. If the device's runtime knows the pointer to be another's, the import fails.
     */
    public static ImportOptions on(Device device) {
        return new ImportOptions(device, false, false, true, null, false, null, 0, -1);
    }

    /**
     * Allows a copy where the layout has no counterpart in Arrow: strides that are negative, zero or leave gaps, masks of
     * bytes. Elements are gathered on the host; the copy lies on the same device. Without this such arrays are refused.
     */
    public ImportOptions copying() {
        return new ImportOptions(device, true, writable, synchronizing, queue, streamGiven, stream, start, byteSize);
    }

    /** The memory will be written: data that is read-only is refused, unless it is copied. */
    public ImportOptions writable() {
        return new ImportOptions(device, copying, true, synchronizing, queue, streamGiven, stream, start, byteSize);
    }

    /**
     * The queue after whose work so far the data is there: the one whose handle the producer was given ({@code stream} of
     * {@code __dlpack__}). The array gets an event that says when.
     */
    public ImportOptions after(DeviceQueue newQueue) {
        return new ImportOptions(
                device, copying, writable, synchronizing, newQueue, streamGiven, stream, start, byteSize);
    }

    /**
     * The {@code stream} that {@code __dlpack__} was called with, for DLPack only: the array gets an event that completes after
     * what is queued there, as with {@link #after}. Null, or no such argument, is the default stream of CUDA and of ROCm; -1 is
     * for data that is there or that {@link #after} waits for. The numbers are those of {@link ExportOptions#stream}.
     */
    public ImportOptions stream(@Nullable Long newStream) {
        return new ImportOptions(device, copying, writable, synchronizing, queue, true, newStream, start, byteSize);
    }

    /** Does not wait for the {@code stream} of a CUDA Array Interface: the caller knows that its work is done. */
    public ImportOptions withoutSynchronization() {
        return new ImportOptions(device, copying, writable, false, queue, streamGiven, stream, start, byteSize);
    }

    /**
     * The allocation that all elements must lie in, if the caller knows it; called again, they must lie in each.
     *
     * @param newStart the address of its first byte
     * @param newByteSize its size in bytes
     */
    public ImportOptions within(long newStart, long newByteSize) {
        if (newStart < 0 || newByteSize < 0 || newStart > Long.MAX_VALUE - newByteSize) {
            throw new IllegalArgumentException("an allocation of " + newByteSize + " bytes at " + newStart);
        }
        long from = byteSize < 0 ? newStart : Math.max(start, newStart);
        long end = byteSize < 0 ? newStart + newByteSize : Math.min(start + byteSize, newStart + newByteSize);
        return new ImportOptions(
                device, copying, writable, synchronizing, queue, streamGiven, stream, from, Math.max(0, end - from));
    }
}
