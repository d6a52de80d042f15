package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.spi.DeviceBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Bytes of a stream, in their order. */
interface ByteSource extends AutoCloseable {
    /** The number of bytes that were read so far. */
    long position();

    /** The number of bytes that are left, if it is known, otherwise {@link Long#MAX_VALUE}. */
    long remaining();

    /** Fills a buffer on the heap, from its position to its limit; less only at the end. */
    void read(ByteBuffer target);

    /**
     * The next bytes as memory; the caller has one reference to its owner. Null if fewer are left.
     *
     * @param byteSize at most {@link #remaining}
     */
    @Nullable
    DeviceBuffer body(long byteSize);

    /** Releases what the bytes come from. Idempotent, never throws. */
    @Override
    void close();
}
