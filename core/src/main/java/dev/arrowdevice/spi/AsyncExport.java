package dev.arrowdevice.spi;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.internal.abi.AsyncUpcalls;
import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler;
import dev.arrowdevice.internal.abi.CAsyncProducer;
import dev.arrowdevice.internal.abi.CAsyncTask;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.ForeignAsyncCallbacks;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.OutstandingExports;
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
 * The producer's side of an async device stream. It calls a foreign {@code ArrowAsyncDeviceStreamHandler}, strictly by
 * the specification.
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
 * <p>The handler's callbacks are called one at a time, "only … in a serialized manner". The consumer's calls
 * ({@code request}, {@code cancel}) only count and notify the {@link Listener}: "this function MUST NOT synchronously
 * call on_next_task or on_error". The producer struct outlives release and all tasks, because consumers request more
 * while they extract the last ones.
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
     * Receives the consumer's calls, on the consumer's threads, possibly from within {@link #start} or {@link #offer}.
     * Must return soon and must not call the export; it wakes the thread that drives the export.
     */
    public interface Listener {
        /** The demand has grown, or a request was invalid: see {@link #getDemand} and {@link #getInvalidRequest}. */
        void onRequest();

        /** The consumer has cancelled the stream. Called once. */
        void onCancel();

        /**
         * A task has returned an error code to its consumer, because its work failed or the array could not be written.
         * "It should be followed only by the producer calling the on_error callback": if the stream is still open, call
         * {@link AsyncExport#fail} with this failure.
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
    /** The stream itself, until it is released, and the tasks that the consumer has. */
    private final AtomicInteger unreleased = new AtomicInteger(1);

    private final Set<ExportedTask> tasks = ConcurrentHashMap.newKeySet();

    /** Changes only under the monitor, which is also locked while the handler is called. */
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
        this.id = OutstandingExports.PRODUCERS.add(new Producer());
        CAsyncProducer.setDeviceType(producer, deviceType);
        CAsyncProducer.setRequest(producer, AsyncUpcalls.REQUEST);
        CAsyncProducer.setCancel(producer, AsyncUpcalls.CANCEL);
        CAsyncProducer.setAdditionalMetadata(producer, this.metadata);
        CAsyncProducer.setPrivateData(producer, id);
        // "This object MUST be populated by the producer before calling the on_schema callback."
        CAsyncDeviceStreamHandler.setProducer(handler, producer);
    }

    /**
     * Becomes the producer of a handler. Calls nothing yet. {@link #release} must follow in the end.
     *
     * @param field the type of the arrays; for batches, a struct
     * @param deviceType the type of the device that all arrays will be on
     * @param metadata the metadata of the stream
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
     * @return false if the consumer refuses the stream; then only {@link #release} is allowed
     */
    public synchronized boolean start() {
        require("start", State.OPEN);
        long schema = CHeap.allocate(CSchema.SIZE);
        try {
            RawMemory.zero(schema, CSchema.SIZE);
            SchemaExporter.export(field, schema);
            state = State.STARTED;
            if (ForeignAsyncCallbacks.onSchema(handler, schema) != 0) {
                state = State.REFUSED;
            }
        } finally {
            ForeignCallbacks.releaseSchema(schema); // Does nothing if the consumer has moved the schema, as it should.
            CHeap.free(schema);
        }
        return state == State.STARTED;
    }

    /** The number of arrays that the consumer has requested and not been offered yet. */
    public long getDemand() {
        return demand.get();
    }

    /**
     * Whether the stream is open: {@link #fail} is allowed, and after {@link #start} also {@link #offer} and
     * {@link #end}.
     */
    public boolean isOpen() {
        State now = state;
        return now == State.OPEN || now == State.STARTED;
    }

    /** Whether the consumer has cancelled. Then {@link #release} should follow soon, without {@link #fail}. */
    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * What is wrong if the consumer has requested zero or fewer arrays, otherwise null. "Producers should error (e.g.
     * call on_error) if receiving such a value": call {@link #fail} with it.
     */
    public @Nullable IllegalArgumentException getInvalidRequest() {
        return invalidRequest;
    }

    /** The number of tasks that the consumer has neither extracted nor discarded. */
    public int getOutstandingTasks() {
        return tasks.size();
    }

    /**
     * Discards the tasks that the consumer has neither extracted nor discarded. Arrow C++ and arrow-go lose the tasks
     * in their queues, with all their memory, when their reader is dropped or cancelled before the end. Call this only
     * if the consumer is known to be gone: if it extracts such a task after all, it gets an error code.
     *
     * @return the number of these tasks
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
     * Offers a task, which reduces the demand by one.
     *
     * @param work makes the array, or discards it
     * @param taskMetadata the metadata of the array
     * @return false if the consumer refuses the task. The work has been discarded then, and only {@link #release} is
     *     allowed
     * @throws IllegalStateException if there is no demand, or the stream is not started or has ended; the caller
     *     remains the owner of the work
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
            // From here on nothing fails, and the task owns the work.
            ExportedTask task = new ExportedTask(work, this::requireFits, listener::onTaskFailure, this::taskReleased);
            tasks.add(task);
            unreleased.incrementAndGet();
            demand.decrementAndGet();
            CAsyncTask.setExtractData(struct, AsyncUpcalls.EXTRACT_DATA);
            CAsyncTask.setPrivateData(struct, task.id());
            if (ForeignAsyncCallbacks.onNextTask(handler, struct, encoded) != 0) {
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
        ForeignAsyncCallbacks.onNextTask(handler, 0, 0);
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
            ForeignAsyncCallbacks.onError(handler, Errno.of(failure), message, encoded);
        } finally {
            RawMetadata.free(encoded);
            CHeap.free(message);
        }
    }

    /** Releases the handler: the last call on it. Idempotent. Tasks that the consumer has stay valid. */
    public synchronized void release() {
        if (state == State.RELEASED) {
            return;
        }
        state = State.RELEASED;
        ForeignAsyncCallbacks.release(handler);
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
            OutstandingExports.PRODUCERS.remove(id);
            // The consumer may still call the struct. Its number is forgotten, so a late request does nothing.
            CAsyncProducer.setAdditionalMetadata(producer, 0);
            RetiredStructs.retire(producer);
            RawMetadata.free(metadata);
        }
    }

    /** Receives the consumer's calls. */
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
