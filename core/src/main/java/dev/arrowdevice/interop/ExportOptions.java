package dev.arrowdevice.interop;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.spi.DeviceQueue;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link dev.arrowdevice.DeviceArray} is shown to a foreign consumer. Immutable: each method gives another one.
 *
 * <p>If none of {@link #queue} and {@link #stream} is called, an export waits on the host until the data is there.
 */
public final class ExportOptions {
    private static final ExportOptions DEFAULTS = new ExportOptions(3, false, null, false, null, false, null, false);

    final int cudaVersion;
    final boolean writable;
    final @Nullable DeviceQueue queue;
    final boolean streamGiven;
    final @Nullable Long stream;
    final boolean bitMask;
    final @Nullable ArrayView mask;
    final boolean copied;

    private ExportOptions(
            int cudaVersion,
            boolean writable,
            @Nullable DeviceQueue queue,
            boolean streamGiven,
            @Nullable Long stream,
            boolean bitMask,
            @Nullable ArrayView mask,
            boolean copied) {
        this.cudaVersion = cudaVersion;
        this.writable = writable;
        this.queue = queue;
        this.streamGiven = streamGiven;
        this.stream = stream;
        this.bitMask = bitMask;
        this.mask = mask;
        this.copied = copied;
    }

    /** Read-only, without nulls, the data there when the export returns. */
    public static ExportOptions defaults() {
        return DEFAULTS;
    }

    /**
     * The version of the CUDA Array Interface, 3 if this is not called. Version 2 knows no stream: a consumer that ignores
     * the stream of version 3, as PyTorch does, is safe with it.
     *
     * @throws IllegalArgumentException for other versions than 2 and 3
     */
    public ExportOptions cudaVersion(int version) {
        if (version != 2 && version != 3) {
            throw new IllegalArgumentException("version " + version + " is not written: 2 or 3");
        }
        return new ExportOptions(version, writable, queue, streamGiven, stream, bitMask, mask, copied);
    }

    /**
     * Says that the consumer may write. Arrow arrays are not to change while others read them, so this is for arrays that
     * nobody else has. DLPack's legacy struct needs it, because it can't say that memory is read-only.
     */
    public ExportOptions writable() {
        return new ExportOptions(cudaVersion, true, queue, streamGiven, stream, bitMask, mask, copied);
    }

    /**
     * Orders the consumer's work on a queue behind what the data waits for, instead of waiting. In the CUDA Array Interface
     * of version 3 its handle becomes the {@code stream}: the queue must live as long as what is exported.
     */
    public ExportOptions queue(DeviceQueue newQueue) {
        return new ExportOptions(cudaVersion, writable, newQueue, false, null, bitMask, mask, copied);
    }

    /**
     * The {@code stream} that a consumer passed to {@code __dlpack__}, for DLPack only. Of CUDA null and 1 are the legacy
     * default stream, 2 the per-thread one; of ROCm null and 0 are the default stream; -1 asks for no order at all, larger
     * numbers are handles. On the CPU there is only null.
     */
    public ExportOptions stream(@Nullable Long newStream) {
        return new ExportOptions(cudaVersion, writable, null, true, newStream, bitMask, mask, copied);
    }

    /**
     * Passes nulls as Arrow has them, as a mask of bits ({@code <t1}, which cuDF reads), in the CUDA Array Interface. Without
     * this or {@link #mask} an array with nulls is refused.
     */
    public ExportOptions bitMask() {
        return new ExportOptions(cudaVersion, writable, queue, streamGiven, stream, true, null, copied);
    }

    /**
     * Passes nulls as a mask of bytes, in the CUDA Array Interface.
     *
     * @param validity one byte for each element, not 0 where it is valid: {@link CudaArrayInterface#byteMask}. To be kept as long as
     *     the array
     */
    public ExportOptions mask(ArrayView validity) {
        return new ExportOptions(cudaVersion, writable, queue, streamGiven, stream, false, validity, copied);
    }

    /**
     * Says that the data is a copy which was made for this consumer: {@link DlpackTensor#IS_COPIED}. The other interfaces and
     * DLPack's legacy struct can't say that.
     */
    public ExportOptions copied() {
        return new ExportOptions(cudaVersion, writable, queue, streamGiven, stream, bitMask, mask, true);
    }
}
