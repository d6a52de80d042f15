package dev.arrowdevice.peers;

import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * A consumer of the async device stream interface in C: a handler that checks the producer's calls and keeps its tasks
 * until it is called to extract them, or does so by its habits. The handler counts as outstanding until it is released;
 * {@link ReleaseBalance} reports it.
 *
 * <p>All methods may be called from any thread.
 */
public final class PeerAsyncConsumer implements AutoCloseable {
    private static final long AWAIT_MILLIS = 20_000;

    private final long address;

    /** The counters, in the order of {@code PeerConsumerStat}. */
    public enum Count {
        /** Calls of {@code on_schema}. */
        SCHEMAS,
        /** Tasks that arrived. */
        TASKS,
        /** Tasks that returned an array. */
        EXTRACTED,
        /** Tasks that were extracted with NULL. */
        DISCARDED,
        /** Tasks whose {@code extract_data} returned an error code. */
        FAILED,
        /** NULL tasks. */
        ENDS,
        /** Calls of {@code on_error}. */
        ERRORS,
        /** Calls of {@code release}. */
        RELEASES,
        /** The sum of all requests. */
        REQUESTED,
        /** Violations of the specification by the producer; the log lists them. */
        VIOLATIONS
    }

    /**
     * What a consumer does by itself.
     *
     * @param firstRequest what it asks for within {@code on_schema}; 0: nothing
     * @param schemaCode what {@code on_schema} returns
     * @param refusedTask the task for which {@code on_next_task} returns EIO; -1: none
     * @param cancelAt the task within whose {@code on_next_task} it cancels, twice; -1: none
     * @param habits what else it does
     */
    public record Options(
            long firstRequest, long schemaCode, long refusedTask, long cancelAt, List<PeerAsyncHabit> habits) {
        /**
         * A consumer that keeps all tasks.
         *
         * @param first what it asks for within {@code on_schema}; 0: nothing
         */
        public static Options requesting(long first) {
            return new Options(first, 0, -1, -1, List.of());
        }

        /**
         * The same, refusing the schema.
         *
         * @param code errno value
         */
        public Options refusingSchema(int code) {
            return new Options(firstRequest, code, refusedTask, cancelAt, habits);
        }

        /**
         * The same, refusing a task.
         *
         * @param task its number, from 0
         */
        public Options refusingTask(long task) {
            return new Options(firstRequest, schemaCode, task, cancelAt, habits);
        }

        /**
         * The same, cancelling.
         *
         * @param task the number of the task within whose callback it does
         */
        public Options cancellingAt(long task) {
            return new Options(firstRequest, schemaCode, refusedTask, task, habits);
        }

        /**
         * The same with habits.
         *
         * @param all of them
         */
        public Options with(PeerAsyncHabit... all) {
            return new Options(
                    firstRequest,
                    schemaCode,
                    refusedTask,
                    cancelAt,
                    Arrays.stream(all).distinct().toList());
        }
    }

    /**
     * Makes a consumer.
     *
     * @param peer the C peer, whose counters it uses
     * @param options what it does by itself
     */
    public PeerAsyncConsumer(CPeer peer, Options options) {
        peer.counters();
        try (Arena arena = Arena.ofConfined()) {
            long bits = options.habits().stream().mapToLong(PeerAsyncHabit::bit).sum();
            long struct = CPeer.struct(arena, new long[] {
                options.firstRequest(), options.schemaCode(), options.refusedTask(), options.cancelAt(), bits
            });
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            PeerText.requireOk(PeerAsyncLibrary.API.peer_consumer_open(struct, out));
            address = NativeMemory.getLong(out);
        }
    }

    /** Its handler, for one producer. */
    public CAsyncDeviceStreamHandlerStruct handler() {
        return CAsyncDeviceStreamHandlerStruct.at(PeerAsyncLibrary.API.peer_consumer_handler(address));
    }

    /**
     * Calls the producer's {@code request}; the schema must have arrived.
     *
     * @param n any number
     */
    public void request(long n) {
        PeerAsyncLibrary.API.peer_consumer_request(address, n);
    }

    /**
     * Calls the producer's {@code cancel}; the schema must have arrived.
     *
     * @param threads how many native threads do so at the same time
     */
    public void cancelOnThreads(int threads) {
        PeerText.requireOk(PeerAsyncLibrary.API.peer_consumer_cancel(address, threads));
    }

    /**
     * Extracts a task that is kept, on this thread.
     *
     * @param task its number, from 0
     * @return what {@code extract_data} returned
     */
    public int extract(long task) {
        return PeerAsyncLibrary.API.peer_consumer_use(address, task, 0);
    }

    /**
     * Discards a task that is kept, on this thread.
     *
     * @param task its number, from 0
     * @return what {@code extract_data} returned
     */
    public int discard(long task) {
        return PeerAsyncLibrary.API.peer_consumer_use(address, task, 1);
    }

    /**
     * The value of a counter.
     *
     * @param count which
     */
    public long count(Count count) {
        return PeerAsyncLibrary.API.peer_consumer_stat(address, count.ordinal());
    }

    /**
     * Waits until a counter has reached a value.
     *
     * @param count which
     * @param value at least
     * @throws CPeerException if that takes longer than 20 seconds; the message has the log
     */
    public void await(Count count, long value) {
        PeerText.requireOk(PeerAsyncLibrary.API.peer_consumer_await(address, count.ordinal(), value, AWAIT_MILLIS));
    }

    /**
     * What has happened, a line each: {@code schema <fields> <metadata>}, {@code task 0 <metadata>}, {@code batch 0
     * <values>}, {@code end}, {@code error <code> <message> <metadata>}, {@code release}, and {@code violation: …} for each
     * rule that the producer broke. Metadata is in hexadecimal.
     */
    public String log() {
        return PeerText.of(out -> PeerAsyncLibrary.API.peer_consumer_log(address, out));
    }

    /** Frees the handler and everything else. The producer must have released it. */
    @Override
    public void close() {
        PeerAsyncLibrary.API.peer_consumer_close(address);
    }
}
