package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Arrow C++ as consumer of an async stream: what {@code CreateAsyncDeviceStreamHandler} makes. */
public final class CppAsyncReader implements AutoCloseable {
    private static final CppFunction CREATE = CppFunction.named(
            "_ZN5arrow30CreateAsyncDeviceStreamHandlerEP29ArrowAsyncDeviceStreamHandlerPNS_8internal8ExecutorEmSt8functionIFNS_6ResultISt10shared_ptrINS_13MemoryManagerEEEEilEE");
    private static final CppFunction METADATA_TO_STRING = CppFunction.named("_ZNK5arrow16KeyValueMetadata8ToStringEv");

    private static final long HANDLER_SIZE = 48;
    /** An {@code AsyncRecordBatchGenerator}: schema, device type, generator. */
    private static final long DEVICE_TYPE = 16;

    private static final long GENERATOR = 24;

    private final Arena arena = Arena.ofShared();
    private final long handler = arena.allocate(HANDLER_SIZE, Long.BYTES).address();
    private final CppFuture opened;
    private @Nullable CppGenerator generator;

    private CppAsyncReader(CppThreadPool pool, long queueSize) {
        try (CppScope scope = new CppScope()) {
            opened = new CppFuture(
                    CREATE.returning(scope, handler, pool.address(), queueSize, CppDevice.defaultMapper(scope)));
        }
    }

    /** Fills a handler. C++ requests that many batches as soon as it has the schema, and extracts them on the pool. */
    public static CppAsyncReader create(CppThreadPool pool, long queueSize) {
        return new CppAsyncReader(pool, queueSize);
    }

    /** The address of the handler, for one producer. */
    public long handlerAddress() {
        return handler;
    }

    /** Whether the schema, or a failure in its place, is there when that time is over. */
    public boolean isOpen(Duration time) {
        return opened.await(time);
    }

    /**
     * Waits for the schema.
     *
     * @throws CppException if the stream begins with a failure
     */
    public CppSchema schema() {
        long schema = opened.value();
        CppMemory.retain(CppMemory.getLong(schema + Long.BYTES));
        return new CppSchema(schema);
    }

    /** The device type that the producer has announced. */
    public int deviceType() {
        return CppMemory.getByte(opened.value() + DEVICE_TYPE);
    }

    /**
     * Waits for the next batch; null at the end. The first call starts a thread, which extracts ahead of us.
     *
     * @throws CppException if the producer fails
     */
    public @Nullable Batch next() {
        try (CppFuture future = generator().next()) {
            long value = future.value();
            if (CppMemory.getLong(value) == 0) {
                return null;
            }
            CppMemory.retain(CppMemory.getLong(value + Long.BYTES));
            return new Batch(new CppRecordBatch(value), text(CppMemory.getLong(value + CppMemory.SHARED_PTR)));
        }
    }

    /**
     * A batch and its metadata.
     *
     * @param batch the receiver closes it
     * @param metadata as C++ writes it, empty if there is none
     */
    public record Batch(CppRecordBatch batch, String metadata) {}

    /**
     * Drops the generator, which neither cancels nor discards anything. The producer must have released the handler.
     */
    @Override
    public void close() {
        if (opened.await(Duration.ZERO) && generator == null) {
            try {
                generator();
            } catch (CppException e) {
                // There is none to be dropped.
            }
        }
        if (generator != null) {
            generator.close();
        }
        opened.close();
        arena.close();
    }

    private CppGenerator generator() {
        CppGenerator moved = generator;
        if (moved == null) {
            // Out of the future, so that closing it drops the last owner.
            moved = new CppGenerator(opened.value() + GENERATOR);
            generator = moved;
        }
        return moved;
    }

    private static String text(long metadata) {
        if (metadata == 0) {
            return "";
        }
        try (CppScope scope = new CppScope()) {
            return scope.text(METADATA_TO_STRING, metadata);
        }
    }
}
