package dev.arrowdevice.peers.go;

import org.jspecify.annotations.Nullable;

/** arrow-go as consumer of an async stream: what {@code CreateAsyncDeviceStreamHandler} makes. */
public final class GoConsumer implements AutoCloseable {
    /** The result of {@link #next} at the end of the stream. */
    public static final long END = -1;
    /** The result of {@link #next} if the stream has failed. */
    public static final long FAILED = -2;

    private final long job;

    private GoConsumer(long job) {
        this.job = job;
    }

    /** Makes a handler. arrow-go requests that many batches as soon as it has the schema, one more for each task. */
    public static GoConsumer create(long queueSize) {
        return new GoConsumer(GoLibrary.call(GoLibrary.CONSUME, queueSize));
    }

    /** The address of the handler, for one producer. */
    public long handlerAddress() {
        return GoLibrary.call(GoLibrary.HANDLER, job);
    }

    /** Waits for a batch of one column of 64-bit numbers and returns its number of rows, or END, or FAILED. */
    public long next() {
        return GoLibrary.call(GoLibrary.NEXT, job);
    }

    /** The sum of all numbers so far. */
    public long sum() {
        return GoLibrary.call(GoLibrary.SUM, job);
    }

    /** The metadata of the last batch, as {@code key=value}. */
    public String metadata() {
        return GoLibrary.text(GoLibrary.METADATA, job).text();
    }

    /** The failure of the stream, after FAILED. */
    public @Nullable GoFailure failure() {
        return GoFailure.of(job);
    }

    /** Cancels. A goroutine calls the producer's {@code cancel} soon after. */
    public void cancel() {
        GoLibrary.call(GoLibrary.CANCEL, job);
    }

    /** Reads the rest of the stream, whose producer must have released the handler, and frees the handler. */
    @Override
    public void close() {
        GoLibrary.call(GoLibrary.CLOSE, job);
    }
}
