package dev.arrowdevice.testkit.contract;

import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.Set;

/**
 * A runtime whose contract is tested, by {@link DeviceContract} and {@link ArrayContract}. A subject is opened for each
 * case and closed after it. Methods of an {@link Ability} are called only if the subject has it. {@link DriverSubject}
 * implements most methods for runtimes over a driver.
 */
public interface DeviceSubject extends AutoCloseable {
    /** The runtime. It is registered with {@link dev.arrowdevice.spi.Devices}. */
    DeviceRuntime runtime();

    /** What the subject can do: {@link Ability#OVERSIZE} by default. */
    default Set<Ability> abilities() {
        return Set.of(Ability.OVERSIZE);
    }

    /**
     * {@link Ability#PAUSE}: pauses a queue, so that work that is queued from now on stays pending. While a queue is
     * paused, the suite allocates and frees only in the order of a queue, copies only between the device and staging
     * memory, and expects no callback behind another queue. So a host function that blocks may do, even on a driver
     * that has one thread for all of them, but not on one that stops other calls meanwhile; better is a queue that waits
     * for a value in memory, which the host writes. The cases of arrays copy on the device too; a copy to the host, which
     * allocates, waits on a thread of its own.
     *
     * @return resumes the queue; may be run twice, from any thread
     */
    default Runnable pause(DeviceQueue queue) {
        throw new UnsupportedOperationException("pause");
    }

    /** {@link Ability#FOREIGN}: creates a queue without the runtime and returns its native handle. */
    default long createForeignQueue() {
        throw new UnsupportedOperationException("createForeignQueue");
    }

    /** {@link Ability#FOREIGN}: destroys a queue that was created without the runtime. */
    default void destroyForeignQueue(long handle) {
        throw new UnsupportedOperationException("destroyForeignQueue");
    }

    /** {@link Ability#FOREIGN}: records an event without the runtime and returns what {@code sync_event} would be. */
    default long recordForeignEvent(long queue) {
        throw new UnsupportedOperationException("recordForeignEvent");
    }

    /** {@link Ability#FOREIGN}: destroys an event that was recorded without the runtime. */
    default void destroyForeignEvent(long syncEvent) {
        throw new UnsupportedOperationException("destroyForeignEvent");
    }

    /** {@link Ability#FAULTS}: makes the next operation of a kind fail. */
    default void failNext(Fault fault) {
        failNext(fault, 0);
    }

    /** {@link Ability#FAULTS}: makes a later operation fail, after {@code passing} of them have succeeded. */
    default void failNext(Fault fault, int passing) {
        throw new UnsupportedOperationException("failNext");
    }

    /** {@link Ability#FAULTS}: cancels the failures that were requested and have not occurred. */
    default void forgetFailures() {
        throw new UnsupportedOperationException("forgetFailures");
    }

    /** {@link Ability#SECOND_DEVICE}: the runtime of another device of the same kind, the same one at each call. */
    default DeviceRuntime second() {
        throw new UnsupportedOperationException("second");
    }

    /** {@link Ability#CLOSE}: closes the runtime. */
    default void closeRuntime() {
        throw new UnsupportedOperationException("closeRuntime");
    }

    /** Closes what was opened, and cancels failures; does nothing by default. */
    @Override
    default void close() {}
}
