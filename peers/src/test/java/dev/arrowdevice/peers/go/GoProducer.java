package dev.arrowdevice.peers.go;

import org.jspecify.annotations.Nullable;

/** arrow-go as producer of an async stream: what {@code ExportAsyncRecordBatchStream} does. */
public final class GoProducer implements AutoCloseable {
    private final long job;

    private GoProducer(long job) {
        this.job = job;
    }

    /**
     * Sends batches of one column of 64-bit numbers, counted through from 0 on, from a goroutine. Each batch has its own
     * number, from 0 on, as metadata {@code batch}.
     *
     * @param failing whether a failure follows the batches, in place of the end
     */
    public static GoProducer start(long handlerAddress, long batches, long rows, boolean failing) {
        return new GoProducer(GoLibrary.call(GoLibrary.PRODUCE, handlerAddress, batches, rows, failing ? 1 : 0));
    }

    /** Has no schema to send, which fails. */
    public static GoProducer startWithoutSchema(long handlerAddress) {
        return start(handlerAddress, -1, 0, false);
    }

    /** Waits for the end, which comes after {@code release}; null if all went well. */
    public @Nullable GoFailure failure() {
        return GoFailure.of(job);
    }

    /** Waits for the end and forgets the producer. */
    @Override
    public void close() {
        GoLibrary.call(GoLibrary.CLOSE, job);
    }
}
