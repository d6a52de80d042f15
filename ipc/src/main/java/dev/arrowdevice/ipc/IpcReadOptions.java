package dev.arrowdevice.ipc;

import dev.arrowdevice.Device;
import dev.arrowdevice.Validation;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceReference;
import org.jspecify.annotations.Nullable;

/** How streams and files are read. Immutable: each method returns another one. */
public final class IpcReadOptions {
    private static final IpcReadOptions DEFAULTS =
            new IpcReadOptions(Validation.STRUCTURE, 1L << 31, 1 << 28, false, Device.CPU, null);

    private final Validation validation;
    private final long maxBatchBytes;
    private final int maxMetadataBytes;
    private final boolean endRequired;
    private final DeviceReference device;
    private final @Nullable DeviceQueue queue;

    private IpcReadOptions(
            Validation validation,
            long maxBatchBytes,
            int maxMetadataBytes,
            boolean endRequired,
            DeviceReference device,
            @Nullable DeviceQueue queue) {
        this.validation = validation;
        this.maxBatchBytes = maxBatchBytes;
        this.maxMetadataBytes = maxMetadataBytes;
        this.endRequired = endRequired;
        this.device = device;
        this.queue = queue;
    }

    /** {@link Validation#STRUCTURE}, batches of up to 2 GiB, metadata of up to 256 MiB, on the CPU. */
    public static IpcReadOptions defaults() {
        return DEFAULTS;
    }

    /** How the arrays are checked before they are returned. */
    public IpcReadOptions withValidation(Validation newValidation) {
        return new IpcReadOptions(newValidation, maxBatchBytes, maxMetadataBytes, endRequired, device, queue);
    }

    /**
     * The most bytes that one batch, or one dictionary, may have, as it is stored and decompressed. A larger one is refused
     * before memory is taken for it.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public IpcReadOptions withMaxBatchBytes(long byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("a limit of " + byteSize + " bytes");
        }
        return new IpcReadOptions(validation, byteSize, maxMetadataBytes, endRequired, device, queue);
    }

    /**
     * The most bytes that the metadata of one message, or the footer of a file, may have.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public IpcReadOptions withMaxMetadataBytes(int byteSize) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("a limit of " + byteSize + " bytes");
        }
        return new IpcReadOptions(validation, maxBatchBytes, byteSize, endRequired, device, queue);
    }

    /**
     * Whether a stream must end with the end-of-stream marker. The format also lets a stream end where its bytes end, so by
     * default a stream whose writer failed between two batches, or did not finish, looks whole. If the marker is required,
     * such a stream ends with an {@link ArrowIpcException}. Files have a footer, for which this does not matter.
     */
    public IpcReadOptions withEndRequired(boolean required) {
        return new IpcReadOptions(validation, maxBatchBytes, maxMetadataBytes, required, device, queue);
    }

    /**
     * The device whose memory the batches lie in: {@link Device#CPU}, a {@link dev.arrowdevice.spi.CpuRuntime#withLimit CPU
     * with a limit}, or another one, such as a GPU. Bytes for another device are read into the memory that it copies from
     * fastest, and queued to it. The batch then has a {@linkplain dev.arrowdevice.RecordBatch#getReadyEvent ready event}.
     */
    public IpcReadOptions withDevice(DeviceReference newDevice) {
        return new IpcReadOptions(validation, maxBatchBytes, maxMetadataBytes, endRequired, newDevice, null);
    }

    /** The same with a queue of that device for the copies, in place of its default queue. */
    public IpcReadOptions withDevice(DeviceReference newDevice, DeviceQueue newQueue) {
        return new IpcReadOptions(validation, maxBatchBytes, maxMetadataBytes, endRequired, newDevice, newQueue);
    }

    /** How the arrays are checked. */
    public Validation getValidation() {
        return validation;
    }

    /** The most bytes that one batch, or one dictionary, may have. */
    public long getMaxBatchBytes() {
        return maxBatchBytes;
    }

    /** The most bytes that the metadata of one message may have. */
    public int getMaxMetadataBytes() {
        return maxMetadataBytes;
    }

    /** Whether a stream must end with the end-of-stream marker. */
    public boolean getEndRequired() {
        return endRequired;
    }

    /** The device whose memory the batches lie in. */
    public DeviceReference getDevice() {
        return device;
    }

    /** The queue for the copies, null for the default queue of the device. */
    public @Nullable DeviceQueue getQueue() {
        return queue;
    }
}
