package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.internal.abi.AsyncCallbacks;
import dev.arrowdevice.internal.abi.AsyncStubs;
import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler;
import dev.arrowdevice.internal.abi.CAsyncProducer;
import dev.arrowdevice.internal.abi.CAsyncTask;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.Callbacks;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.Exports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.abi.ShutdownReport;
import dev.arrowdevice.internal.async.ExportedTask;
import dev.arrowdevice.internal.async.RetiredStructs;
import dev.arrowdevice.internal.exchange.Failures;
import dev.arrowdevice.internal.exchange.RawMetadata;
import dev.arrowdevice.internal.exchange.SchemaExporter;
import dev.arrowdevice.internal.memory.Leaks;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The producer's side of an async device stream: drives a foreign {@code ArrowAsyncDeviceStreamHandler}, strictly by the
 * specification.
 *
 * <pre>
 *   state    | allowed                 | calls                       | goes to
 *   OPEN     | {@link #start}                   | on_schema                   | STARTED, or REFUSED if it returns non-zero (1)
 *            | {@link #fail}                    | on_error                    | FINISHED                               (2)
 *   STARTED  | {@link #offer}, with demand      | on_next_task(task)          | STARTED, or REFUSED if it returns non-zero (1)
 *            | {@link #end}                     | on_next_task(NULL)          | FINISHED                               (3)
 *            | {@link #fail}                    | on_error                    | FINISHED                               (2)
 *   any      | {@link #release}                 | release                     | RELEASED                               (4)
 * </pre>
 *
 * (1) "A producer that receives a non-zero result here must not subsequently call anything other than the release
 * callback on this object." (2) "If the producer encounters an error during processing, it should call the on_error
 * callback, and then call release after it returns." (3) "The producer signals the end of the stream by passing NULL."
 * (4) "… the release callback will be called as the last call on this struct."
 *
 * <p>The handler's callbacks are called one at a time, "only … in a serialized manner". What the consumer calls back
 * ({@code request}, {@code cancel}) only counts and tells the {@link Listener}: "this function MUST NOT synchronously
 * call on_next_task or on_error". The producer struct outlives release and all tasks, because consumers ask for more as
 * they extract the last ones.
 */
public final class AsyncExport {
    private enum State {
        OPEN,
        STARTED,
        REFUSED,
        FINISHED,
        RELEASED
    }

    /**
     * Is told what the consumer does, on the consumer's threads, possibly from within {@link #start} or {@link #offer}.
     * Must return soon and must not call the export: it wakes whoever drives it.
     */
    public interface Listener {
        /** There is more demand, or a request was invalid: see {@link #getDemand} and {@link #getInvalidRequest}. */
        void onRequest();

        /** The consumer wants no more. Called once. */
        void onCancel();

        /**
         * A task has given its consumer an error code, because its work failed or the array could not be written. "It
         * should be followed only by the producer calling the on_error callback": {@link AsyncExport#fail} with it
         * should follow, if the stream is still open.
         */
        default void onTaskFailure(Throwable failure) {}
    }

    private final Listener listener;
    private final Field field;
    private final int deviceType;
    private final long handler;
    private final long producer;
    private final long metadata;
    private final long id;
    private final AtomicLong demand = new AtomicLong();
    /** The stream itself, until it is released, and each task that is with the consumer. */
    private final AtomicInteger unreleased = new AtomicInteger(1);

    private final Set<ExportedTask> tasks = ConcurrentHashMap.newKeySet();

    /** Changes under the monitor, which is held while the handler is called. */
    private volatile State state = State.OPEN;

    private volatile boolean cancelled;
    private volatile @Nullable IllegalArgumentException invalidRequest;

    private AsyncExport(long handlerAddress, Field field, int deviceType, Metadata metadata, Listener listener) {
        ShutdownReport.install();
        this.listener = listener;
        this.field = field;
        this.deviceType = deviceType;
        this.handler = handlerAddress;
        this.metadata = RawMetadata.write(metadata);
        this.producer = RetiredStructs.allocate(CAsyncProducer.SIZE);
        this.id = Exports.PRODUCERS.add(new Producer());
        CAsyncProducer.setDeviceType(producer, deviceType);
        CAsyncProducer.setRequest(producer, AsyncStubs.REQUEST);
        CAsyncProducer.setCancel(producer, AsyncStubs.CANCEL);
        CAsyncProducer.setAdditionalMetadata(producer, this.metadata);
        CAsyncProducer.setPrivateData(producer, id);
        // "This object MUST be populated by the producer before calling the on_schema callback."
        CAsyncDeviceStreamHandler.setProducer(handler, producer);
    }

    /**
     * Becomes the producer of a handler; calls nothing yet. {@link #release} must follow in the end.
     *
     * @param field the type of the arrays; of batches, a struct
     * @param deviceType the type of the device that all arrays will be on
     * @param metadata what is said about the stream
     * @throws IllegalStateException if the handler has been released
     */
    public static AsyncExport open(
            CAsyncDeviceStreamHandlerStruct handler,
            Field field,
            int deviceType,
            Metadata metadata,
            Listener listener) {
        if (!handler.isLive()) {
            throw new IllegalStateException("AsyncExport.open: the handler has already been released");
        }
        return new AsyncExport(handler.getAddress(), field, deviceType, metadata, listener);
    }

    /**
     * Sends the schema.
     *
     * @return false if the consumer refuses the stream: only {@link #release} is allowed then
     */
    public synchronized boolean start() {
        require("start", State.OPEN);
        long schema = CHeap.allocate(CSchema.SIZE);
        try {
            RawMemory.zero(schema, CSchema.SIZE);
            SchemaExporter.export(field, schema);
            state = State.STARTED;
            if (AsyncCallbacks.onSchema(handler, schema) != 0) {
                state = State.REFUSED;
            }
        } finally {
            Callbacks.releaseSchema(schema); // Does nothing if the consumer moved it, as it should.
            CHeap.free(schema);
        }
        return state == State.STARTED;
    }

    /** How many arrays the consumer has asked for and not been offered. */
    public long getDemand() {
        return demand.get();
    }

    /** Whether the stream goes on: {@link #fail} is allowed, and {@link #offer} and {@link #end} once it was started. */
    public boolean isOpen() {
        State now = state;
        return now == State.OPEN || now == State.STARTED;
    }

    /** Whether the consumer has cancelled: {@link #release} should follow soon, without {@link #fail}. */
    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * What is wrong with a request of the consumer for no or fewer arrays, else null. "Producers should error (e.g. call
     * on_error) if receiving such a value": {@link #fail} with it should follow.
     */
    public @Nullable IllegalArgumentException getInvalidRequest() {
        return invalidRequest;
    }

    /** How many tasks the consumer has neither extracted nor discarded. */
    public int getOutstandingTasks() {
        return tasks.size();
    }

    /**
     * Discards the tasks that the consumer has neither extracted nor discarded, in its place. Arrow C++ and arrow-go
     * lose the tasks in their queues, with all that these hold, when their reader is dropped or cancelled before the end.
     * Only for a consumer that is known to be gone: should it come for a task after all, it gets an error code.
     *
     * @return how many there were
     * @throws IllegalStateException before {@link #release}
     */
    public synchronized int reclaim() {
        require("reclaim", State.RELEASED);
        int reclaimed = 0;
        for (ExportedTask task : tasks) {
            reclaimed += task.discard() ? 1 : 0;
        }
        return reclaimed;
    }

    /**
     * Offers a task, which uses up one of the demand.
     *
     * @param work what makes the array and what discards it
     * @param taskMetadata what is said about the array
     * @return false if the consumer refuses it: the work has been discarded, and only {@link #release} is allowed then
     * @throws IllegalStateException if there is no demand, or the stream is not started or has ended; the work stays
     *     the caller's
     */
    public synchronized boolean offer(AsyncWork work, Metadata taskMetadata) {
        require("offer", State.STARTED);
        if (demand.get() <= 0) {
            throw new IllegalStateException("offer: the consumer has not asked for an array");
        }
        long encoded = RawMetadata.write(taskMetadata);
        long struct = 0;
        try {
            struct = CHeap.allocate(CAsyncTask.SIZE);
            // From here on nothing fails: the work is the task's.
            ExportedTask task = new ExportedTask(work, this::requireFits, listener::onTaskFailure, this::taskReleased);
            tasks.add(task);
            unreleased.incrementAndGet();
            demand.decrementAndGet();
            CAsyncTask.setExtractData(struct, AsyncStubs.EXTRACT_DATA);
            CAsyncTask.setPrivateData(struct, task.id());
            if (AsyncCallbacks.onNextTask(handler, struct, encoded) != 0) {
                state = State.REFUSED;
                task.discard();
            }
        } finally {
            RawMetadata.free(encoded);
            if (struct != 0) {
                CHeap.free(struct);
            }
        }
        return state == State.STARTED;
    }

    /** Ends the stream. */
    public synchronized void end() {
        require("end", State.STARTED);
        state = State.FINISHED;
        AsyncCallbacks.onNextTask(handler, 0, 0);
    }

    /** Reports a failure, which ends the stream. */
    public synchronized void fail(Throwable failure) {
        if (state != State.OPEN) {
            require("fail", State.STARTED);
        }
        state = State.FINISHED;
        long message = RawMemory.newCString(Failures.describe(failure).replace('\0', ' '));
        Metadata details =
                failure instanceof ForeignException ? ((ForeignException) failure).getMetadata() : Metadata.EMPTY;
        long encoded = RawMetadata.write(details);
        try {
            AsyncCallbacks.onError(handler, Errno.of(failure), message, encoded);
        } finally {
            RawMetadata.free(encoded);
            CHeap.free(message);
        }
    }

    /** Releases the handler, the last call on it; idempotent. Tasks that are with the consumer stay valid. */
    public synchronized void release() {
        if (state == State.RELEASED) {
            return;
        }
        state = State.RELEASED;
        AsyncCallbacks.release(handler);
        partReleased();
    }

    private void require(String operation, State needed) {
        if (state != needed) {
            throw new IllegalStateException(operation + ": the async stream is " + state + ", not " + needed);
        }
    }

    /** "The schema for each record should be the same as the schema that on_schema was called with." */
    private void requireFits(DeviceArray array) {
        if (!array.getType().equals(field.type())) {
            throw new IllegalArgumentException(
                    "an array of type " + array.getType() + " in a stream of " + field.type());
        }
        if (array.getDevice().type() != deviceType) {
            throw new IllegalArgumentException(
                    "an array on " + array.getDevice() + " in a stream on " + DeviceType.name(deviceType));
        }
    }

    private void taskReleased(ExportedTask task) {
        tasks.remove(task);
        partReleased();
    }

    private void partReleased() {
        if (unreleased.decrementAndGet() == 0) {
            Exports.PRODUCERS.remove(id);
            // What stays is callable: its number is forgotten, so that a late request does nothing.
            CAsyncProducer.setAdditionalMetadata(producer, 0);
            RetiredStructs.retire(producer);
            RawMetadata.free(metadata);
        }
    }

    /** What the consumer calls. */
    private final class Producer implements Exported.Producer {
        private final @Nullable Throwable allocation = Leaks.allocationStack();

        @Override
        public @Nullable Throwable allocation() {
            return allocation;
        }

        @Override
        public void request(long n) {
            if (cancelled) {
                return; // "After cancel is called, additional calls to this function must be a NOP, but allowed."
            }
            if (n <= 0) {
                invalidRequest = new IllegalArgumentException("request of " + n + " arrays; n must be above 0");
            } else {
                demand.accumulateAndGet(
                        n, (before, more) -> before > Long.MAX_VALUE - more ? Long.MAX_VALUE : before + more);
            }
            listener.onRequest();
        }

        @Override
        public void cancel() {
            synchronized (this) {
                if (cancelled) {
                    return; // "After calling it once, subsequent calls MUST be a NOP."
                }
                cancelled = true;
            }
            listener.onCancel();
        }
    }
}
