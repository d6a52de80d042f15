package dev.arrowdevice.peers;

import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/**
 * A producer of the async device stream interface in C: its threads drive a handler. It is strict, or departs from the
 * specification in ways that known producers do. Each task counts as outstanding until it is extracted, discarded or
 * refused, and the stream until its handler was released; {@link ReleaseBalance} reports them.
 *
 * <p>All methods may be called from any thread.
 */
public final class PeerAsyncProducer implements AutoCloseable {
    private static final long AWAIT_MILLIS = 20_000;

    private final long address;

    /** The counters, in the order of {@code PeerAsyncStat}. */
    public enum Count {
        /** Calls of {@code request}. */
        REQUESTS,
        /** The sum of all requests. */
        REQUESTED,
        /** Calls of {@code cancel}. */
        CANCELS,
        /** Tasks passed to {@code on_next_task}. */
        TASKS,
        /** Tasks that returned their array. */
        EXTRACTED,
        /** Tasks that were extracted with NULL. */
        DISCARDED,
        /** Tasks that failed when extracted. */
        FAILED,
        /** Tasks that {@code on_next_task} refused. */
        REFUSED,
        /** NULL tasks. */
        ENDS,
        /** Calls of {@code on_error}. */
        ERRORS,
        /** Calls of the handler's {@code release}. */
        RELEASES,
        /** Schemas that the consumer neither moved nor released. */
        SCHEMAS_LEFT,
        /** Calls of {@code request} or {@code cancel} after {@code release} had started. */
        LATE_CALLS,
        /** Violations of the specification by the consumer; the log lists them. */
        VIOLATIONS,
        /** Calls of {@code on_schema} that returned an error code. */
        SCHEMAS_REFUSED,
        /** Callbacks of the handler that have returned, so that their effects are visible. */
        RETURNED
    }

    /**
     * Makes a producer.
     *
     * @param peer the C peer, whose counters it uses
     * @param field schema of the stream
     * @param batch of every task; task {@code k} has the seed moved by {@code k}
     * @param options what it does
     */
    public PeerAsyncProducer(CPeer peer, PeerField field, PeerOptions batch, PeerAsyncOptions options) {
        peer.counters();
        try (Arena arena = Arena.ofConfined()) {
            long spec = arena.allocateFrom(field.toString()).address();
            long first = CPeer.struct(arena, batch.toStruct());
            long second = CPeer.struct(arena, options.toStruct(arena));
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            PeerText.requireOk(PeerAsyncLibrary.API.peer_async_open(spec, first, second, out));
            address = NativeMemory.getLong(out);
        }
    }

    /**
     * Starts to drive a handler, once.
     *
     * @param handler a handler that has no producer yet
     */
    public void start(CAsyncDeviceStreamHandlerStruct handler) {
        PeerText.requireOk(PeerAsyncLibrary.API.peer_async_start(address, handler.getAddress()));
    }

    /**
     * Allows more callbacks.
     *
     * @param callbacks how many; -1: all from now on
     */
    public void allow(long callbacks) {
        PeerAsyncLibrary.API.peer_async_allow(address, callbacks);
    }

    /** Lets a producer that {@linkplain PeerAsyncFault#NEVER_RELEASES never releases} release after all. */
    public void releaseAfterAll() {
        PeerAsyncLibrary.API.peer_async_release(address);
    }

    /**
     * The value of a counter.
     *
     * @param count which
     */
    public long count(Count count) {
        return PeerAsyncLibrary.API.peer_async_stat(address, count.ordinal());
    }

    /**
     * Waits until a counter has reached a value.
     *
     * @param count which
     * @param value at least
     * @throws CPeerException if that takes longer than 20 seconds; the message has the log
     */
    public void await(Count count, long value) {
        PeerText.requireOk(PeerAsyncLibrary.API.peer_async_await(address, count.ordinal(), value, AWAIT_MILLIS));
    }

    /** What has happened, a line each: {@code schema}, {@code request 2}, {@code task 0}, {@code extract 0} and so on. */
    public String log() {
        return PeerText.of(out -> PeerAsyncLibrary.API.peer_async_log(address, out));
    }

    /** Stops the threads and frees the memory. The consumer must be done with all tasks. */
    @Override
    public void close() {
        PeerAsyncLibrary.API.peer_async_close(address);
    }
}
