package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.ipc.IpcCodec;
import dev.arrowdevice.ipc.IpcCompression;
import dev.arrowdevice.ipc.internal.codec.Codecs;
import dev.arrowdevice.ipc.internal.format.BatchHeader;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** The buffers of a batch: ranges of the message's body, or what they decompress to. In the order of the message. */
final class BatchBuffers {
    /** More than LZ4 can make of one byte. */
    private static final long MAX_LZ4_RATIO = 256;
    /** The size of a buffer before compression, in front of it. */
    private static final int SIZE_BYTES = 8;
    /** In place of the size: the bytes are not compressed. */
    private static final long NOT_COMPRESSED = -1;

    private final long[] places;
    private final DeviceBuffer body;
    /** What was decompressed; null where the body has the bytes as they are. */
    private final @Nullable DeviceBuffer @Nullable [] decompressed;

    private final ReferenceCounted owner;

    private BatchBuffers(
            long[] places,
            DeviceBuffer body,
            @Nullable DeviceBuffer @Nullable [] decompressed,
            ReferenceCounted owner) {
        this.places = places;
        this.body = body;
        this.decompressed = decompressed;
        this.owner = owner;
    }

    /** Keeps them alive. The caller has one reference. */
    ReferenceCounted owner() {
        return owner;
    }

    /** The number of buffers. */
    int count() {
        return places.length / 2;
    }

    /** A buffer. Many are empty bitmaps that nobody asks for. */
    DeviceBuffer get(int index) {
        DeviceBuffer buffer = decompressed == null ? null : decompressed[index];
        return buffer == null ? body.slice(places[2 * index], places[2 * index + 1]) : buffer;
    }

    /** Takes no reference to the message, whose body the buffers keep alive if they need it. */
    static BatchBuffers of(BatchHeader header, IpcMessage message, BodyMemory memory, long maxBytes) {
        DeviceBuffer body = message.body();
        long[] places = header.places(body.getByteSize(), message.metadataSize());
        IpcCompression compression = header.compression();
        if (compression != null) {
            return decompressed(places, body, compression, memory, maxBytes);
        }
        body.getOwner().retain();
        return new BatchBuffers(places, body, null, body.getOwner());
    }

    private static BatchBuffers decompressed(
            long[] places, DeviceBuffer body, IpcCompression compression, BodyMemory memory, long maxBytes) {
        long[] sizes = sizes(places, body.memory(), compression, maxBytes);
        long total = 0;
        for (long size : sizes) {
            total += Math.max(0, size) + 63 & -64;
        }
        DeviceBuffer target = memory.allocate(total);
        try {
            IpcCodec codec = total == 0 ? null : Codecs.find(compression);
            @Nullable DeviceBuffer[] buffers = new DeviceBuffer[sizes.length];
            boolean usesBody = false;
            long at = 0;
            for (int i = 0; i < buffers.length; i++) {
                long from = places[2 * i] + SIZE_BYTES;
                long count = places[2 * i + 1] - SIZE_BYTES;
                if (sizes[i] == NOT_COMPRESSED) {
                    buffers[i] = body.slice(from, count);
                    usesBody = true;
                    continue;
                }
                buffers[i] = target.slice(at, sizes[i]);
                if (sizes[i] > 0 && codec != null) {
                    codec.decompress(
                            body.memory().asByteBuffer(from, count),
                            target.memory().asByteBuffer(at, sizes[i]));
                }
                at += sizes[i] + 63 & -64;
            }
            ReferenceCounted owner = target.getOwner();
            if (usesBody) {
                body.getOwner().retain();
                owner = ReferenceCounted.all(owner, body.getOwner());
            }
            return new BatchBuffers(places, body, buffers, owner);
        } catch (Throwable e) {
            target.getOwner().release();
            throw e;
        }
    }

    /**
     * The sizes that the buffers claim to have before compression, {@link #NOT_COMPRESSED} for those that have none. They are
     * checked before memory is taken for them.
     */
    private static long[] sizes(long[] places, HostMemory body, IpcCompression compression, long maxBytes) {
        long[] sizes = new long[places.length / 2];
        long total = 0;
        for (int i = 0; i < sizes.length; i++) {
            long compressed = places[2 * i + 1];
            if (compressed == 0) {
                continue;
            }
            if (compressed < SIZE_BYTES) {
                throw new IllegalArgumentException(
                        "compressed buffer " + i + " has " + compressed + " bytes, its size alone needs 8");
            }
            long size = body.getLong(places[2 * i]);
            long used = size == NOT_COMPRESSED ? compressed - SIZE_BYTES : size;
            if (used < 0) {
                throw new IllegalArgumentException("compressed buffer " + i + " is said to have " + size + " bytes");
            }
            if (used > maxBytes - total) {
                throw new IllegalArgumentException("the buffers of the batch are said to have more than " + maxBytes
                        + " bytes when they are decompressed, the limit (IpcReadOptions.withMaxBatchBytes)");
            }
            if (size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("compressed buffer " + i + " is said to have " + size
                        + " bytes; those of 2 GiB and more are not supported");
            }
            if (compression == IpcCompression.LZ4_FRAME && size / MAX_LZ4_RATIO > compressed) {
                throw new IllegalArgumentException("compressed buffer " + i + " is said to have " + size
                        + " bytes, more than LZ4 can make of " + compressed);
            }
            total += used;
            sizes[i] = size;
        }
        return sizes;
    }
}
