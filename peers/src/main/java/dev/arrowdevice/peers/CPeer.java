package dev.arrowdevice.peers;

import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.testkit.CCompilerException;
import dev.arrowdevice.testkit.Counted;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A producer and consumer of Arrow data in plain C, for tests of the C data, C stream and C device data interfaces. It
 * has no code of the SDK. Its sources are resources in the jar and are compiled with the system's C compiler at the
 * first use.
 *
 * <p>All structs are passed by address and stay the caller's memory; only their content is moved. The consumer must
 * release what is produced; {@link ReleaseBalance} reports it if it does not. All methods may be called from any
 * thread. Needs Java 22 or newer and {@code --enable-native-access}.
 */
public final class CPeer implements Counted {
    private static final int COUNTERS = 8;
    private static final long CHECK_BUILT = 1;
    private static final long CHECK_BATCH = 2;
    private static final PeerHeap HEAP = new PeerHeap();

    private CPeer() {}

    /**
     * The peer of this process, compiled and loaded at the first call.
     *
     * @throws CPeerException if there is no C compiler; the message says what to install
     */
    public static CPeer load() {
        CPeerException failure = Loader.FAILURE;
        if (failure != null) {
            throw new CPeerException(failure.getMessage(), failure);
        }
        return Loader.PEER;
    }

    /**
     * Loads once and keeps the reason of a failure, because a class initialiser reports its failure only the first
     * time.
     */
    private static final class Loader {
        private static final CPeer PEER = new CPeer();
        private static final @Nullable CPeerException FAILURE = tryToLoad();

        private static @Nullable CPeerException tryToLoad() {
            try {
                PEER.counters();
                return null;
            } catch (ExceptionInInitializerError e) {
                Throwable cause = e.getCause();
                return cause instanceof CCompilerException
                        ? new CPeerException(cause.getMessage(), cause)
                        : new CPeerException("The C peer could not be loaded: " + cause, cause);
            }
        }
    }

    // ---- producing ----

    /**
     * Fills an {@code ArrowSchema}.
     *
     * @param field the schema
     * @param schema address of the struct; its content is overwritten
     * @param quirks placement of its strings
     */
    public void produceSchema(PeerField field, long schema, PeerQuirk... quirks) {
        try (Arena arena = Arena.ofConfined()) {
            long flags = PeerOptions.bits(Set.of(quirks));
            PeerText.requireOk(PeerLibrary.API.peer_produce_schema(address(arena, field.toString()), flags, schema));
        }
    }

    /**
     * Fills an {@code ArrowArray} of the schema's type.
     *
     * @param schema address of a live {@code ArrowSchema}, the peer's or another's; stays with the caller
     * @param options what the array is like
     * @param array address of the struct; what it held is overwritten
     */
    public void produceArray(long schema, PeerOptions options, long array) {
        try (Arena arena = Arena.ofConfined()) {
            PeerText.requireOk(PeerLibrary.API.peer_produce_array(schema, struct(arena, options.toStruct()), array));
        }
    }

    /**
     * Fills an {@code ArrowDeviceArray} on the CPU.
     *
     * @param schema address of a live {@code ArrowSchema}; stays with the caller
     * @param options what the array is like
     * @param deviceArray address of the struct; what it held is overwritten
     */
    public void produceDeviceArray(long schema, PeerOptions options, long deviceArray) {
        try (Arena arena = Arena.ofConfined()) {
            PeerText.requireOk(
                    PeerLibrary.API.peer_produce_device_array(schema, struct(arena, options.toStruct()), deviceArray));
        }
    }

    /**
     * Fills a schema and an array of structs within structs around one int32 row.
     *
     * @param depth number of structs, any
     * @param schema address of an {@code ArrowSchema}
     * @param array address of an {@code ArrowArray}
     */
    public void produceDeep(int depth, long schema, long array) {
        PeerText.requireOk(PeerLibrary.API.peer_produce_deep(depth, schema, array));
    }

    /**
     * Fills an {@code ArrowArrayStream}.
     *
     * @param field schema of the stream
     * @param options of every batch; batch {@code k} has the seed moved by {@code k}
     * @param streamOptions what the stream does
     * @param stream address of the struct
     */
    public void produceStream(PeerField field, PeerOptions options, PeerStreamOptions streamOptions, long stream) {
        produceStream(PeerLibrary.API::peer_produce_stream, field, options, streamOptions, stream);
    }

    /**
     * Fills an {@code ArrowDeviceArrayStream}.
     *
     * @param field schema of the stream
     * @param options of every batch; batch {@code k} has the seed moved by {@code k}
     * @param streamOptions what the stream does
     * @param stream address of the struct
     */
    public void produceDeviceStream(
            PeerField field, PeerOptions options, PeerStreamOptions streamOptions, long stream) {
        produceStream(PeerLibrary.API::peer_produce_device_stream, field, options, streamOptions, stream);
    }

    private interface StreamFunction {
        int produce(long spec, long options, long streamOptions, long message, long out);
    }

    private static void produceStream(
            StreamFunction function,
            PeerField field,
            PeerOptions options,
            PeerStreamOptions streamOptions,
            long stream) {
        try (Arena arena = Arena.ofConfined()) {
            long message = streamOptions.message().isEmpty() ? 0 : address(arena, streamOptions.message());
            long spec = address(arena, field.toString());
            long first = struct(arena, options.toStruct());
            long second = struct(arena, streamOptions.toStruct());
            PeerText.requireOk(function.produce(spec, first, second, message, stream));
        }
    }

    // ---- consuming ----

    /**
     * All values of an array as text, decoded by the peer; the form is described in {@code peer_render.c}.
     *
     * @param schema address of a live {@code ArrowSchema}
     * @param array address of a live {@code ArrowArray}
     */
    public String renderArray(long schema, long array) {
        return PeerText.of(out -> PeerLibrary.API.peer_render_array(schema, array, out));
    }

    /**
     * A schema in the form of {@link PeerField#toString}.
     *
     * @param schema address of a live {@code ArrowSchema}
     */
    public String renderSchema(long schema) {
        return PeerText.of(out -> PeerLibrary.API.peer_render_schema(schema, out));
    }

    /**
     * A hash of the text of {@link #renderArray}; 0 if the array can't be read.
     *
     * @param schema address of a live {@code ArrowSchema}
     * @param array address of a live {@code ArrowArray}
     */
    public long checksum(long schema, long array) {
        return PeerLibrary.API.peer_checksum(schema, array);
    }

    /**
     * The complaints of a strict consumer: a null_count that isn't computed, a missing offsets buffer and more.
     *
     * @param schema address of a live {@code ArrowSchema}
     * @param array address of a live {@code ArrowArray}
     * @param built the memory is the exporter's own: 64-byte alignment and zero padding of the validity are required
     *     too
     * @param batch it is a record batch: no top-level offset, no top-level nulls
     * @return one line for each complaint; empty: none
     */
    public List<String> complaints(long schema, long array, boolean built, boolean batch) {
        long flags = (built ? CHECK_BUILT : 0) | (batch ? CHECK_BATCH : 0);
        return PeerText.of(out -> PeerLibrary.API.peer_check_array(schema, array, flags, out))
                .lines()
                .toList();
    }

    /**
     * The same for a device array, with its own members: zeroed {@code reserved}, the CPU's id -1 and no event there.
     *
     * @param schema address of a live {@code ArrowSchema}
     * @param deviceArray address of a live {@code ArrowDeviceArray} whose buffers the host can read
     * @param built see {@link #complaints}
     * @param batch see {@link #complaints}
     */
    public List<String> deviceComplaints(long schema, long deviceArray, boolean built, boolean batch) {
        long flags = (built ? CHECK_BUILT : 0) | (batch ? CHECK_BATCH : 0);
        return PeerText.of(out -> PeerLibrary.API.peer_check_device_array(schema, deviceArray, flags, out))
                .lines()
                .toList();
    }

    /**
     * Consumes and releases a stream. The text has a line {@code schema …}, one line per batch, then {@code end},
     * {@code closed} (limit reached) or {@code error <code> <message>}; after that one line {@code violation: …} for each
     * broken rule.
     *
     * @param stream address of a live {@code ArrowArrayStream}
     * @param limit number of batches after which it is released; -1: at the end
     * @param what else it does
     */
    public String drainStream(long stream, int limit, PeerDrain... what) {
        return PeerText.of(out -> PeerLibrary.API.peer_drain_stream(stream, limit, drainBits(what), out));
    }

    /**
     * The same for a device stream.
     *
     * @param stream address of a live {@code ArrowDeviceArrayStream}
     * @param limit number of batches after which it is released; -1: at the end
     * @param what else it does
     */
    public String drainDeviceStream(long stream, int limit, PeerDrain... what) {
        return PeerText.of(out -> PeerLibrary.API.peer_drain_device_stream(stream, limit, drainBits(what), out));
    }

    /**
     * Reads a stream to its end and releases each array unread, then the stream. A consumer in C does at least this.
     *
     * @param stream address of a live {@code ArrowArrayStream}
     * @return the rows of all arrays
     */
    public long skimStream(long stream) {
        try (Arena arena = Arena.ofConfined()) {
            long rows = arena.allocate(ValueLayout.JAVA_LONG).address();
            PeerText.requireOk(PeerLibrary.API.peer_skim_stream(stream, rows));
            return NativeMemory.getLong(rows);
        }
    }

    private static long drainBits(PeerDrain[] what) {
        return Arrays.stream(what).distinct().mapToLong(PeerDrain::bit).sum();
    }

    /** The memory of the peer. */
    public PeerHeap getHeap() {
        return HEAP;
    }

    // ---- releasing ----

    /** Calls the release callback of the {@code ArrowArray} or {@code ArrowDeviceArray} at an address, if it is live. */
    public void releaseArray(long array) {
        PeerLibrary.API.peer_release_array(array);
    }

    /** Calls the release callback of the {@code ArrowSchema} at an address, if it is live. */
    public void releaseSchema(long schema) {
        PeerLibrary.API.peer_release_schema(schema);
    }

    /** Calls the release callback of the {@code ArrowArrayStream} at an address, if it is live. */
    public void releaseStream(long stream) {
        PeerLibrary.API.peer_release_stream(stream);
    }

    /** Calls the release callback of the {@code ArrowDeviceArrayStream} at an address, if it is live. */
    public void releaseDeviceStream(long stream) {
        PeerLibrary.API.peer_release_device_stream(stream);
    }

    /**
     * Moves an array: copies the struct and marks the source released.
     *
     * @param from address of a live {@code ArrowArray}
     * @param to address of memory for one
     */
    public void moveArray(long from, long to) {
        PeerLibrary.API.peer_move_array(from, to);
    }

    /**
     * Moves a schema: copies the struct and marks the source released.
     *
     * @param from address of a live {@code ArrowSchema}
     * @param to address of memory for one
     */
    public void moveSchema(long from, long to) {
        PeerLibrary.API.peer_move_schema(from, to);
    }

    /**
     * Moves an array into memory of the peer, which releases it later.
     *
     * @param array address of a live {@code ArrowArray}
     * @return address of the struct in the peer
     */
    public long hold(long array) {
        return PeerLibrary.API.peer_hold_array(array);
    }

    /**
     * Releases an array that {@link #hold} took.
     *
     * @param held what {@code hold} returned; not to be used afterwards
     */
    public void releaseHeld(long held) {
        PeerLibrary.API.peer_release_held(held);
    }

    /**
     * Moves the arrays away and releases them from native threads that start together. Returns when all are gone.
     *
     * @param arrays addresses of live {@code ArrowArray}s
     * @param threads number of threads
     */
    public void releaseOnThreads(long[] arrays, int threads) {
        try (Arena arena = Arena.ofConfined()) {
            PeerText.requireOk(PeerLibrary.API.peer_release_on_threads(struct(arena, arrays), arrays.length, threads));
        }
    }

    /**
     * Moves an array away and releases it from a new native thread, at some time after or during this call.
     *
     * @param array address of a live {@code ArrowArray}
     */
    public void releaseSoon(long array) {
        PeerText.requireOk(PeerLibrary.API.peer_release_soon(array));
    }

    /** Waits until all arrays of {@link #releaseSoon} have been released. */
    public void joinReleases() {
        PeerLibrary.API.peer_join_releases();
    }

    /** Frees the memory of released arrays that were produced with {@link PeerQuirk#DEFER_FREE}. */
    public void freeDeferred() {
        PeerLibrary.API.peer_free_deferred();
    }

    // ---- knowing ----

    /** The counters since the peer was loaded. */
    public PeerCounters counters() {
        long[] values = new long[COUNTERS];
        for (int i = 0; i < COUNTERS; i++) {
            values[i] = PeerLibrary.API.peer_counter(i);
        }
        return new PeerCounters(values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]);
    }

    @Override
    public Supplier<List<String>> count() {
        PeerCounters before = counters();
        return () -> counters().unbalancedSince(before);
    }

    /**
     * Sizes and offsets of the ABI structs as the C compiler sees them: lines {@code ArrowArray 80} and {@code
     * ArrowArray.length 0}.
     */
    public String abiLayout() {
        return PeerText.of(out -> PeerLibrary.API.peer_abi_layout(out));
    }

    // ---- private ----

    private static long address(Arena arena, String text) {
        return arena.allocateFrom(text).address();
    }

    static long struct(Arena arena, long[] members) {
        return arena.allocateFrom(ValueLayout.JAVA_LONG, members).address();
    }
}
