package dev.arrowdevice.testkit.device;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An event of a simulated device. Its handle names no memory and is never used again. */
final class SimulatedEvent {
    private static final Map<Long, SimulatedEvent> LIVE = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT_HANDLE = new AtomicLong(0x0160_0000_0000_0000L);

    final long handle = NEXT_HANDLE.incrementAndGet();
    final SimulatedQueue queue;
    private boolean complete;
    private Errors.@Nullable Failure failure;

    SimulatedEvent(SimulatedQueue queue) {
        this.queue = queue;
        LIVE.put(handle, this);
    }

    /** The event of a handle, or null if it was destroyed or does not exist. */
    static @Nullable SimulatedEvent find(long handle) {
        return LIVE.get(handle);
    }

    /** Removes the handle. Work that waits for the event still waits. */
    static @Nullable SimulatedEvent remove(long handle) {
        return LIVE.remove(handle);
    }

    synchronized void complete(Errors.@Nullable Failure earlier) {
        failure = earlier;
        complete = true;
        notifyAll();
    }

    synchronized boolean isComplete() {
        return complete;
    }

    /** The failure of the work before the event, or null. */
    synchronized Errors.@Nullable Failure failure() {
        return failure;
    }

    /** Waits until the event is complete or {@code abandoned} returns true. Like drivers, it ignores interrupts. */
    synchronized void await(BooleanSupplier abandoned) {
        boolean interrupted = false;
        while (!complete && !abandoned.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes waiting threads check {@code abandoned} again. */
    synchronized void wake() {
        notifyAll();
    }
}
