package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.DeviceArray;
import java.lang.invoke.MethodHandle;

/** A producer in C of streams that give one batch again and again, and the consumer beside it. See {@code c_stream.c}. */
public final class CStreams implements AutoCloseable {
    private static final MethodHandle CONSUME = CFunctions.function("c_stream_consume", 1);

    private final CSource source;

    /**
     * @param batch a struct of one int32 without nulls, which moves into the hands of C
     */
    public CStreams(DeviceArray batch) {
        source = CSource.of(batch);
    }

    /** Fills an {@code ArrowArrayStream}. */
    public void produce(int batches, long stream) {
        source.stream(batches, stream);
    }

    /** Sends to an {@code ArrowAsyncDeviceStreamHandler} that asks for each batch within the call that brings the last one. */
    public void send(int batches, long handler) {
        source.send(batches, handler);
    }

    /** Reads an {@code ArrowArrayStream} to its end, releasing each batch unread, and releases it; answers its rows. */
    public static long consume(long stream) {
        try {
            long rows = (long) CONSUME.invokeExact(stream);
            if (rows < 0) {
                throw new AssertionError("the stream failed");
            }
            return rows;
        } catch (Throwable e) {
            throw CSource.unexpected(e);
        }
    }

    /**
     * Releases the batch.
     *
     * @throws AssertionError if a stream or a batch was not released
     */
    @Override
    public void close() {
        source.close();
    }
}
