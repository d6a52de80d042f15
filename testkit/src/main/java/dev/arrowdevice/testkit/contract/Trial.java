package dev.arrowdevice.testkit.contract;

import dev.arrowdevice.Device;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One run of a case: the subject, and everything that is closed at the end, however the case ends. */
final class Trial implements AutoCloseable {
    /** A device that does not exist. */
    static final Device FOREIGN_DEVICE = new Device(99, 7);

    /** How long a case may take, and how long it waits for what another thread does. */
    static final long LIMIT_MILLIS = Long.getLong("dev.arrowdevice.testkit.limit", 20) * 1000;

    private static final long EARLY_MILLIS = 20;

    private final DeviceSubject subject;
    private final ArrayDeque<Runnable> cleanup = new ArrayDeque<>();
    private final List<Runnable> resumes = new ArrayList<>();
    private final List<DeviceQueue> queues = new ArrayList<>();

    Trial(DeviceSubject subject) {
        this.subject = subject;
    }

    DeviceSubject subject() {
        return subject;
    }

    DeviceRuntime runtime() {
        return subject.runtime();
    }

    boolean isCpu() {
        return runtime().getDevice().isCpu();
    }

    /** Runs an action at the end of the case, before those added earlier. */
    synchronized void atEnd(Runnable action) {
        cleanup.push(action);
    }

    DeviceQueue queue() {
        return queue(runtime());
    }

    DeviceQueue queue(DeviceRuntime runtime) {
        DeviceQueue queue = runtime.createQueue();
        atEnd(queue::close);
        synchronized (queues) {
            queues.add(queue);
        }
        return queue;
    }

    DeviceEvent record(DeviceQueue queue) {
        return own(runtime().record(queue));
    }

    DeviceEvent own(DeviceEvent event) {
        atEnd(event::close);
        return event;
    }

    DeviceBuffer own(DeviceBuffer buffer) {
        atEnd(() -> buffer.getOwner().release());
        return buffer;
    }

    /** Memory of the device. */
    DeviceBuffer allocate(long byteSize) {
        return own(runtime().allocate(byteSize));
    }

    /** Staging memory, all zeros. */
    DeviceBuffer staging(int byteSize) {
        return staging(new byte[byteSize]);
    }

    /** Staging memory with a content. */
    DeviceBuffer staging(byte[] content) {
        DeviceBuffer buffer = own(runtime().allocateStaging(content.length));
        buffer.memory().put(0, content, 0, content.length);
        return buffer;
    }

    /** Memory of the device with a content. */
    DeviceBuffer uploaded(byte[] content) {
        DeviceBuffer buffer = allocate(content.length);
        runtime().copy(staging(content), 0, buffer, 0, content.length);
        return buffer;
    }

    /** The content of memory of the device. */
    byte[] download(DeviceBuffer buffer) {
        DeviceBuffer back = staging((int) buffer.getByteSize());
        runtime().copy(buffer, 0, back, 0, buffer.getByteSize());
        return content(back);
    }

    /** The content of memory of the host. */
    static byte[] content(DeviceBuffer buffer) {
        byte[] content = new byte[(int) buffer.getByteSize()];
        buffer.memory().get(0, content, 0, content.length);
        return content;
    }

    /** A buffer of a device without a runtime. Its address must not be read. */
    static DeviceBuffer foreignBuffer(long byteSize) {
        return DeviceBuffer.ofAddress(FOREIGN_DEVICE, 64, byteSize, ReferenceCounted.nothing());
    }

    /** Bytes that differ by seed and by index. */
    static byte[] pattern(int byteSize, int seed) {
        byte[] bytes = new byte[byteSize];
        for (int i = 0; i < byteSize; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8) + seed);
        }
        return bytes;
    }

    /** Pauses a queue until {@link #resumeAll} or the end of the case, or until the result is run. */
    Runnable pause(DeviceQueue queue) {
        Runnable resume = subject.pause(queue);
        synchronized (resumes) {
            resumes.add(resume);
        }
        return resume;
    }

    void resumeAll() {
        synchronized (resumes) {
            resumes.forEach(Runnable::run);
        }
    }

    /** Starts an action on another thread. */
    <T> CompletableFuture<T> async(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(action.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "device-contract-other");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    CompletableFuture<Void> async(Runnable action) {
        return async(() -> {
            action.run();
            return null;
        });
    }

    /** Gives an action that must not end yet the time to do so. */
    static void staysPending(CompletableFuture<?> action, String what) throws Exception {
        try {
            action.get(EARLY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return;
        }
        throw new AssertionError(what + " ended before the work was done");
    }

    /** The result of an action on another thread. */
    static <T> T result(CompletableFuture<T> action) throws Exception {
        try {
            return action.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * Whether a runtime may have queues and events of a device: those of a runtime of pinned memory belong to the GPU.
     */
    static boolean sameKind(DeviceRuntime runtime, Device device) {
        return runtime.getDevice().isCpu()
                ? device.isCpu()
                : runtime.getDevice().id() == device.id();
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    static void checkEqual(Object expected, Object actual, String what) {
        check(expected.equals(actual), what + " is " + actual + " and should be " + expected);
    }

    static void checkBytes(byte[] expected, byte[] actual, String what) {
        int different = Arrays.mismatch(expected, actual);
        check(different < 0, what + " differs from what it should be at byte " + different);
    }

    /** The exception that an action throws. */
    static <T extends Throwable> T checkThrows(Class<T> type, String what, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            if (type.isInstance(e)) {
                return type.cast(e);
            }
            throw new AssertionError(what + " threw " + e + " and should throw " + type.getSimpleName(), e);
        }
        throw new AssertionError(what + " should throw " + type.getSimpleName());
    }

    /** Waits for work of a queue that still uses memory about to be freed. */
    private static void finish(DeviceQueue queue) {
        try {
            queue.synchronize();
        } catch (IllegalStateException e) {
            // The case closed the queue, or made it fail: there is nothing to wait for.
        }
    }

    /** Resumes all queues, and closes everything that the case made. */
    @Override
    public void close() {
        resumeAll();
        queues.forEach(Trial::finish);
        Throwable failure = null;
        while (!cleanup.isEmpty()) {
            try {
                cleanup.pop().run();
            } catch (Throwable e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw new AssertionError("giving back: " + failure, failure);
        }
    }
}
