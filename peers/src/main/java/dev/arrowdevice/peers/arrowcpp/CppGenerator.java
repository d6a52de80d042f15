package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An {@code arrow::AsyncGenerator<X>}: a {@code std::function} that returns a future of the next X at each call, four
 * words with libstdc++: two of storage, then the functions that manage and that invoke what is stored.
 */
public final class CppGenerator implements AutoCloseable {
    private static final CppFunction OF_VECTOR = CppFunction.named(
            "_ZN5arrow19MakeVectorGeneratorISt10shared_ptrINS_11RecordBatchEEEESt8functionIFNS_6FutureIT_EEvEESt6vectorIS6_SaIS6_EE");
    private static final CppFunction TRANSFERRED = CppFunction.named(
            "_ZN5arrow24MakeTransferredGeneratorISt10shared_ptrINS_11RecordBatchEEEESt8functionIFNS_6FutureIT_EEvEES9_PNS_8internal8ExecutorE");
    private static final CppFunction NEW = CppFunction.named("_Znwm");
    private static final CppFunction BACKGROUND = CppFunction.named(
            "_ZN5arrow19BackgroundGeneratorISt10shared_ptrINS_11RecordBatchEEEC1ENS_8IteratorIS3_EEPNS_8internal8ExecutorEii");

    /** The content of a {@code std::function} of such a background generator. */
    private static final String IN_BACKGROUND =
            "_ZNSt17_Function_handlerIFN5arrow6FutureISt10shared_ptrINS0_11RecordBatchEEEEvENS0_19BackgroundGeneratorIS4_EEE";

    private static final CppFunction MANAGE_BACKGROUND =
            CppFunction.named(IN_BACKGROUND + "10_M_managerERSt9_Any_dataRKSA_St18_Manager_operation");
    private static final CppFunction INVOKE_BACKGROUND = CppFunction.named(IN_BACKGROUND + "9_M_invokeERKSt9_Any_data");

    private static final long SIZE = 32;
    private static final long MANAGER = 16;
    private static final long INVOKER = 24;
    private static final int DESTROY = 3;
    private static final long BACKGROUND_SIZE = 32;
    private static final int READ_AHEAD = 2;

    private final Arena arena = Arena.ofShared();
    private final long function;
    private boolean closed;

    /** Takes over the {@code std::function} at that address. */
    CppGenerator(long address) {
        MemorySegment moved = arena.allocate(SIZE, Long.BYTES);
        function = moved.address();
        for (long word = 0; word < SIZE; word += Long.BYTES) {
            CppMemory.putLong(function + word, CppMemory.getLong(address + word));
        }
        CppMemory.putLong(address + MANAGER, 0);
    }

    /** Generates these batches, which the caller closes. Each is ready when it is requested. */
    public static CppGenerator of(List<CppRecordBatch> batches) {
        try (CppScope scope = new CppScope()) {
            return new CppGenerator(OF_VECTOR.returning(scope, scope.vector(batches)));
        }
    }

    /**
     * Generates the batches of a source. One thread of the pool reads the source, and the receiver runs on another one.
     */
    public static CppGenerator of(CppBatchSource source, CppThreadPool pool) {
        try (CppScope scope = new CppScope()) {
            long background = NEW.call(BACKGROUND_SIZE);
            BACKGROUND.call(background, CppBatchSource.iterator(scope, source), pool.address(), READ_AHEAD, READ_AHEAD);
            long generator = scope.addresses(background, 0, MANAGE_BACKGROUND.address(), INVOKE_BACKGROUND.address());
            long transferred = TRANSFERRED.returning(scope, generator, pool.address());
            destroy(generator);
            return new CppGenerator(transferred);
        }
    }

    /** The {@code std::function}, of which a callee may make copies or from which it may move. */
    long address() {
        if (closed) {
            throw new IllegalStateException("This CppGenerator is closed");
        }
        return function;
    }

    /** A future of the next X. */
    CppFuture next() {
        try (CppScope scope = new CppScope()) {
            CppFunction invoker = CppFunction.at("a generator", CppMemory.getLong(address() + INVOKER));
            return new CppFuture(invoker.returning(scope, function));
        }
    }

    /** Destroys the function, which waits for what its thread has under way. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            destroy(function);
            arena.close();
        }
    }

    private static void destroy(long function) {
        long manager = CppMemory.getLong(function + MANAGER);
        if (manager != 0) {
            CppFunction.at("a generator's manager", manager).call(function, function, DESTROY);
        }
    }
}
