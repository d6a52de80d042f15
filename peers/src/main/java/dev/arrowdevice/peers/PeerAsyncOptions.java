package dev.arrowdevice.peers;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an async producer of the C peer does. Immutable. */
public final class PeerAsyncOptions {
    private static final int CPU = 1;
    private static final int EIO = 5;

    private long batches;
    private long threads = 1;
    private long permits = -1;
    private long errorAfter = -1;
    private long errorCode = EIO;
    private long failingTask = -1;
    private long afterCancel;
    private long deviceType = CPU;
    private @Nullable String message;
    private byte @Nullable [] streamMetadata;
    private byte @Nullable [] taskMetadata;
    private byte @Nullable [] errorMetadata;
    private Set<PeerAsyncFault> faults = Set.of();

    private PeerAsyncOptions() {}

    /**
     * A strict producer on the CPU, on one thread, whose stream ends well.
     *
     * @param count number of tasks before the end
     */
    public static PeerAsyncOptions batches(long count) {
        return new PeerAsyncOptions().with(copy -> copy.batches = count);
    }

    /**
     * The same, with callbacks from several threads in turn.
     *
     * @param count of threads
     */
    public PeerAsyncOptions onThreads(long count) {
        return with(copy -> copy.threads = count);
    }

    /**
     * The same, waiting for {@link PeerAsyncProducer#allow} after some callbacks.
     *
     * @param count of callbacks that are allowed at first
     */
    public PeerAsyncOptions waitingAfter(long count) {
        return with(copy -> copy.permits = count);
    }

    /**
     * The same, failing.
     *
     * @param tasks that come before {@code on_error}
     * @param code errno value
     * @param text null: a NULL pointer
     */
    public PeerAsyncOptions failing(long tasks, int code, @Nullable String text) {
        return with(copy -> {
            copy.errorAfter = tasks;
            copy.errorCode = code;
            copy.message = text;
        });
    }

    /**
     * The same with a task that fails when it is extracted.
     *
     * @param task its number, from 0
     * @param code errno value
     * @param text of the {@code on_error} that follows; null: a NULL pointer
     */
    public PeerAsyncOptions failingTask(long task, int code, @Nullable String text) {
        return with(copy -> {
            copy.failingTask = task;
            copy.errorCode = code;
            copy.message = text;
        });
    }

    /**
     * The same with tasks that still come after a cancel, as far as they were requested.
     *
     * @param tasks how many at most
     */
    public PeerAsyncOptions goingOnAfterCancel(long tasks) {
        return with(copy -> copy.afterCancel = tasks);
    }

    /**
     * The same on another device.
     *
     * @param type an {@code ArrowDeviceType}
     */
    public PeerAsyncOptions onDevice(int type) {
        return with(copy -> copy.deviceType = type);
    }

    /**
     * The same with metadata, encoded as in {@code ArrowSchema.metadata}, right or wrong; null: a NULL pointer.
     *
     * @param stream {@code ArrowAsyncProducer.additional_metadata}
     * @param task of every task
     * @param error of {@code on_error}
     */
    public PeerAsyncOptions withMetadata(byte @Nullable [] stream, byte @Nullable [] task, byte @Nullable [] error) {
        return with(copy -> {
            copy.streamMetadata = stream;
            copy.taskMetadata = task;
            copy.errorMetadata = error;
        });
    }

    /**
     * The same with more faults.
     *
     * @param more faults
     */
    public PeerAsyncOptions with(PeerAsyncFault... more) {
        Set<PeerAsyncFault> all = EnumSet.noneOf(PeerAsyncFault.class);
        all.addAll(faults);
        all.addAll(Arrays.asList(more));
        return with(copy -> copy.faults = all);
    }

    /** The members of the C struct {@code PeerAsyncOptions}. */
    long[] toStruct(Arena arena) {
        return new long[] {
            batches,
            threads,
            permits,
            errorAfter,
            errorCode,
            failingTask,
            afterCancel,
            deviceType,
            faults.stream().mapToLong(PeerAsyncFault::bit).sum(),
            message == null ? 0 : arena.allocateFrom(message).address(),
            address(arena, streamMetadata),
            size(streamMetadata),
            address(arena, taskMetadata),
            size(taskMetadata),
            address(arena, errorMetadata),
            size(errorMetadata)
        };
    }

    private static long address(Arena arena, byte @Nullable [] bytes) {
        return bytes == null
                ? 0
                : arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
    }

    private static long size(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private PeerAsyncOptions with(Consumer<PeerAsyncOptions> change) {
        PeerAsyncOptions copy = new PeerAsyncOptions();
        copy.batches = batches;
        copy.threads = threads;
        copy.permits = permits;
        copy.errorAfter = errorAfter;
        copy.errorCode = errorCode;
        copy.failingTask = failingTask;
        copy.afterCancel = afterCancel;
        copy.deviceType = deviceType;
        copy.message = message;
        copy.streamMetadata = streamMetadata;
        copy.taskMetadata = taskMetadata;
        copy.errorMetadata = errorMetadata;
        copy.faults = faults;
        change.accept(copy);
        return copy;
    }
}
