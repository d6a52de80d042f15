package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.ArrayUpcalls;
import dev.arrowdevice.internal.abi.AsyncUpcalls;
import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler;
import dev.arrowdevice.internal.abi.CAsyncProducer;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.ForeignAsyncCallbacks;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.Imports;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.abi.ShutdownReport;
import dev.arrowdevice.internal.async.CallGate;
import dev.arrowdevice.internal.async.RetiredStructs;
import dev.arrowdevice.internal.exchange.RawMetadata;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.exchange.SchemaImporter;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.internal.streams.ImportedStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's side of an async device stream: an {@code ArrowAsyncDeviceStreamHandler} to pass to a foreign producer
 * by its {@linkplain #getHandler address}. The producer's calls reach an {@link AsyncListener}.
 *
 * <pre>
 *   state     | the producer calls      | we answer                             | goes to
 *   WAITING   | on_schema               | listener.onSchema, 0                  | STREAMING
 *             |   … it fails or throws  | listener.onError, an error code       | REFUSED    (1)
 *             |   … after our cancel    | ECANCELED                             | REFUSED    (1)
 *             | on_error                | listener.onError                      | ENDED      (2)
 *   STREAMING | on_next_task(task)      | listener.onTask, 0                    | STREAMING
 *             |   … it throws           | listener.onError, an error code       | REFUSED    (1)
 *             |   … having used it      | our cancel, listener.onError, 0       | STREAMING  (8)
 *             |   … after our cancel    | the task is discarded, 0              | STREAMING  (3)
 *             | on_next_task(NULL)      | listener.onEnd, 0                     | ENDED      (4)
 *             | on_error                | listener.onError                      | ENDED      (2)
 *             |   … after our cancel    | nothing                               | ENDED      (5)
 *   any       | release                 | listener.onRelease                    | RELEASED   (6)
 *   else      | anything                | nothing, EINVAL                       | the same   (7)
 * </pre>
 *
 * (1) "A producer that receives a non-zero result here must not subsequently call anything other than the release
 * callback". Some producers call {@code on_error} all the same. (2) "After calling this, the release callback will be
 * called as the last call on this struct." (3) "A consumer MUST be prepared to receive one or more calls to
 * on_next_task … even after calling cancel"; "it must still call extract_data so that the producer can perform any
 * required cleanup". (4) "The producer signals the end of the stream by passing NULL". (5) "Successful cancelling MUST
 * NOT result in a producer calling on_error", but Arrow C++ does so. (6) "This must not call any methods of an
 * ArrowAsyncProducer object." (7) If we return an error code for a task, it remains the producer's. A schema never
 * does: "the object itself needing to be moved". (8) "It is only valid to call this method exactly once", so a task
 * that was extracted can't go back to the producer. After that, the listener is called only by onRelease.
 *
 * <p>The producer is called in state STREAMING only, because some producers free their struct just before they call
 * {@code release}. So it is not called from within {@code on_error} or {@code release}, nor for {@code request} after a
 * cancel. The handler's memory is ours and lives until the producer calls {@code release}.
 *
 * <p>All methods may be called from any thread, also from within the listener's methods.
 */
public final class AsyncImport {
    /** How long to wait for a running call of the producer by another thread. */
    private static final long CALL_WAIT_SECONDS = 1;

    private enum State {
        WAITING,
        STREAMING,
        ENDED,
        REFUSED,
        RELEASED
    }

    private final AsyncListener listener;
    private final Validation validation;
    private final AsyncDiscard discard;
    private final long handler;
    private final long id;
    /**
     * The threads that call the producer. Some producers are gone once they were cancelled, or have ended or failed.
     */
    private final CallGate producerCalls = new CallGate();

    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final AtomicBoolean cancelSent = new AtomicBoolean();
    /** What was requested and not passed on yet. The thread that finds 0 here passes it on. */
    private final AtomicLong unsent = new AtomicLong();

    private volatile boolean cancelled;
    /**
     * Whether the listener has failed at a task after using it. The stream is cancelled then, and continues without the
     * listener.
     */
    private volatile boolean listenerFailed;

    private volatile long producer;
    private volatile @Nullable Field field;
    private volatile int deviceType;

    private AsyncImport(AsyncListener listener, Validation validation, AsyncDiscard discard) {
        ShutdownReport.install();
        this.listener = listener;
        this.validation = validation;
        this.discard = discard;
        this.handler = RetiredStructs.allocate(CAsyncDeviceStreamHandler.SIZE);
        this.id = OutstandingExports.HANDLERS.add(new Handler());
        CAsyncDeviceStreamHandler.setOnSchema(handler, AsyncUpcalls.ON_SCHEMA);
        CAsyncDeviceStreamHandler.setOnNextTask(handler, AsyncUpcalls.ON_NEXT_TASK);
        CAsyncDeviceStreamHandler.setOnError(handler, AsyncUpcalls.ON_ERROR);
        CAsyncDeviceStreamHandler.setRelease(handler, AsyncUpcalls.RELEASE);
        CAsyncDeviceStreamHandler.setPrivateData(handler, id);
    }

    /** Makes a handler that validates arrays by structure. Unwanted arrays are extracted and released. */
    public static AsyncImport create(AsyncListener listener) {
        return create(listener, Validation.STRUCTURE);
    }

    /** Makes a handler. Unwanted arrays are extracted and released, because some producers crash on the NULL. */
    public static AsyncImport create(AsyncListener listener, Validation validation) {
        return create(listener, validation, AsyncDiscard.WITH_ARRAY);
    }

    /**
     * Makes a handler. It counts as an imported stream until the producer calls {@code release}.
     *
     * @param validation checks each array when it is extracted; an array that is discarded is not checked
     * @param discard how tasks are discarded: {@link AsyncDiscard#WITHOUT_ARRAY} passes the NULL that the specification
     *     recommends, and is for producers that are known to accept it; arrow-go crashes the process
     */
    public static AsyncImport create(AsyncListener listener, Validation validation, AsyncDiscard discard) {
        Requirements.requireNativeAccess("AsyncImport.create");
        AsyncImport stream = new AsyncImport(listener, validation, discard);
        Imports.STREAMS.increment();
        return stream;
    }

    /** The handler, for one producer. Valid until the producer calls {@code release}. */
    public CAsyncDeviceStreamHandlerStruct getHandler() {
        return CAsyncDeviceStreamHandlerStruct.at(handler);
    }

    /** Whether the producer has called {@code release}, its last call. */
    public boolean isReleased() {
        return state.get() == State.RELEASED;
    }

    /**
     * Requests more arrays. Does nothing after the end, a failure or {@link #cancel}. The end of the stream may need a
     * request of its own: some producers look for it only while a request is outstanding.
     *
     * <p>Requests by several threads at the same time, or by a callback within this call, are passed on as one. One
     * thread at a time calls the producer's {@code request}, because it may block (arrow-go's does after five).
     *
     * @param n the number of arrays, above 0
     * @throws IllegalStateException before the schema has arrived
     */
    public void request(long n) {
        if (n <= 0) {
            throw new IllegalArgumentException("request of " + n + " arrays");
        }
        if (state.get() == State.WAITING) {
            throw new IllegalStateException("request: the schema has not arrived yet");
        }
        if (unsent.getAndAccumulate(n, AsyncImport::saturatedSum) != 0) {
            return;
        }
        long passedOn;
        do {
            long all = unsent.get();
            callProducer(() -> {
                if (!cancelled) {
                    ForeignAsyncCallbacks.request(producer, all);
                }
            });
            passedOn = all;
        } while (unsent.addAndGet(-passedOn) != 0);
    }

    private static long saturatedSum(long before, long more) {
        return before > Long.MAX_VALUE - more ? Long.MAX_VALUE : before + more;
    }

    /**
     * Cancels the stream. Tasks that still arrive are discarded. A schema that still arrives is refused. The producer's {@code cancel} is called once, after a request that is running. After it, the producer is
     * never called.
     *
     * <p>The specification lets any thread cancel at any time: "calls to cancel must be idempotent and thread-safe".
     * arrow-go (18.8) does not keep that. If it is cancelled while its own thread is not within one of our callbacks,
     * it may, rarely, close a channel twice, which <strong>crashes the process</strong>. If it is cancelled within
     * {@link AsyncListener#onTask}, it does not.
     */
    public void cancel() {
        cancelled = true;
        callProducer(() -> {
            // Once, although "calls to cancel must be idempotent": the producer may be gone after the first.
            if (cancelSent.compareAndSet(false, true)) {
                producerCalls.awaitOthers(CALL_WAIT_SECONDS);
                ForeignAsyncCallbacks.cancel(producer);
            }
        });
    }

    /**
     * Releases a handler that no producer has, because starting the producer failed.
     *
     * @return false if a producer has called the handler. Then the producer has it, and will release it
     */
    public boolean releaseUnused() {
        if (!state.compareAndSet(State.WAITING, State.RELEASED)) {
            return false;
        }
        afterRelease();
        return true;
    }

    private void callProducer(Runnable call) {
        producerCalls.beginCall();
        try {
            if (state.get() == State.STREAMING) {
                call.run();
            }
        } finally {
            producerCalls.endCall();
        }
    }

    private int refuse(Throwable failure) {
        if (state.compareAndSet(State.WAITING, State.REFUSED) || state.compareAndSet(State.STREAMING, State.REFUSED)) {
            producerCalls.awaitOthers(CALL_WAIT_SECONDS);
            listener.onError(reported(failure));
        }
        return Errno.of(failure);
    }

    private static RuntimeException reported(Throwable failure) {
        return failure instanceof RuntimeException
                ? (RuntimeException) failure
                : new IllegalStateException("the listener failed: " + failure, failure);
    }

    private void afterRelease() {
        producerCalls.awaitOthers(CALL_WAIT_SECONDS);
        OutstandingExports.HANDLERS.remove(id);
        RetiredStructs.retire(handler);
        Imports.RELEASED_STREAMS.increment();
        listener.onRelease();
    }

    /** Receives the producer's calls. */
    private final class Handler implements Exported.Handler {
        private final @Nullable Throwable allocation = Leaks.allocationStack();

        @Override
        public @Nullable Throwable allocation() {
            return allocation;
        }

        @Override
        public int onSchema(long schema) {
            if (schema == 0) {
                return refuse(new IllegalArgumentException("on_schema: the schema is NULL"));
            }
            if (cancelled || state.get() != State.WAITING) {
                ForeignCallbacks.releaseSchema(schema);
                return state.compareAndSet(State.WAITING, State.REFUSED) ? Errno.ECANCELED : Errno.EINVAL;
            }
            try {
                // Consumes the schema: "the object itself needing to be moved … MUST NOT be stored and kept".
                Field received = SchemaImporter.importField(schema);
                long sender = CAsyncDeviceStreamHandler.producer(handler);
                if (sender == 0) {
                    throw new IllegalStateException("on_schema: the handler's producer is NULL");
                }
                if (CAsyncProducer.request(sender) == 0 || CAsyncProducer.cancel(sender) == 0) {
                    throw new IllegalStateException(
                            "on_schema: the producer's request or cancel is NULL, a mandatory callback");
                }
                field = received;
                deviceType = CAsyncProducer.deviceType(sender);
                Metadata metadata = RawMetadata.read(CAsyncProducer.additionalMetadata(sender));
                producer = sender;
                if (!state.compareAndSet(State.WAITING, State.STREAMING)) {
                    return Errno.EINVAL;
                }
                if (cancelled) {
                    cancel(); // The cancel came before the producer was known.
                }
                listener.onSchema(AsyncImport.this, received, deviceType, metadata);
                return 0;
            } catch (Throwable e) {
                return refuse(e);
            }
        }

        @Override
        public int onNextTask(long task, long metadata) {
            Field type = field;
            if (state.get() != State.STREAMING || type == null) {
                return Errno.EINVAL;
            }
            if (task == 0) {
                if (state.compareAndSet(State.STREAMING, State.ENDED)) {
                    producerCalls.awaitOthers(CALL_WAIT_SECONDS);
                    if (!listenerFailed) {
                        listener.onEnd();
                    }
                }
                return 0;
            }
            AsyncTask received = null;
            try {
                // The metadata of an array that is discarded is not read.
                Metadata details = cancelled ? Metadata.EMPTY : RawMetadata.read(metadata);
                received = new AsyncTask(task, type, deviceType, details, validation, discard);
                if (cancelled) {
                    received.discard();
                } else {
                    listener.onTask(received);
                }
                return 0;
            } catch (Throwable e) {
                // Refusing returns the task to the producer, so it must not have been used. If it was used, the stream
                // is cancelled instead.
                if (received == null || received.forget()) {
                    return refuse(e);
                }
                listenerFailed = true;
                cancel();
                try {
                    listener.onError(reported(e));
                } catch (Throwable again) {
                    ArrayUpcalls.report("on_next_task", again);
                }
                return 0;
            }
        }

        @Override
        public void onError(int code, long message, long metadata) {
            if (!state.compareAndSet(State.WAITING, State.ENDED)
                    && !state.compareAndSet(State.STREAMING, State.ENDED)) {
                return;
            }
            producerCalls.awaitOthers(CALL_WAIT_SECONDS);
            if (!cancelled) {
                listener.onError(failure(code, message, metadata));
            }
        }

        @Override
        public void release() {
            if (state.getAndSet(State.RELEASED) != State.RELEASED) {
                afterRelease();
            }
        }
    }

    private static RuntimeException failure(int code, long message, long metadata) {
        String text = message == 0
                ? "the producer returned no description"
                : new String(RawMemory.getCString(message, ImportedStream.MAX_ERROR_TEXT), StandardCharsets.UTF_8);
        Metadata details;
        try {
            details = RawMetadata.read(metadata);
        } catch (RuntimeException e) {
            // The failure matters more than malformed metadata about it.
            details = Metadata.EMPTY;
        }
        return new ForeignException("on_error", code, text, details);
    }

    @Override
    public String toString() {
        return "async stream on " + DeviceType.name(deviceType) + ", " + state.get();
    }
}
