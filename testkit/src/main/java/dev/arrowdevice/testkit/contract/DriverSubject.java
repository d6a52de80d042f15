package dev.arrowdevice.testkit.contract;

import dev.arrowdevice.spi.DeviceDriver;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DriverRuntime;
import dev.arrowdevice.spi.NativeMemory;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A runtime over a driver as a subject. A callback that blocks pauses a queue, and the driver makes foreign queues and
 * events. It runs unchanged on a real GPU. A subclass adds the abilities of its device.
 */
public class DriverSubject implements DeviceSubject {
    private final DriverRuntime runtime;

    /** Makes the subject of a runtime, which the subject does not close. */
    public DriverSubject(DriverRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public DriverRuntime runtime() {
        return runtime;
    }

    /** {@inheritDoc} Foreign queues and events, copies that are queued, and, if the driver has callbacks, pausing. */
    @Override
    public Set<Ability> abilities() {
        EnumSet<Ability> abilities = EnumSet.of(Ability.FOREIGN, Ability.QUEUED_COPIES, Ability.OVERSIZE);
        if (driver().hasCallbacks()) {
            abilities.add(Ability.PAUSE);
        }
        return abilities;
    }

    @Override
    public Runnable pause(DeviceQueue queue) {
        CountDownLatch resumed = new CountDownLatch(1);
        driver().callAfter(queue.getHandle(), () -> {
            try {
                resumed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return resumed::countDown;
    }

    @Override
    public long createForeignQueue() {
        return driver().createQueue();
    }

    @Override
    public void destroyForeignQueue(long handle) {
        driver().destroyQueue(handle);
    }

    @Override
    public long recordForeignEvent(long queue) {
        long event = driver().recordEvent(queue);
        if (!driver().isSyncEventPointerToHandle()) {
            return event;
        }
        long pointer = NativeMemory.allocate(Long.BYTES);
        NativeMemory.putLong(pointer, event);
        return pointer;
    }

    @Override
    public void destroyForeignEvent(long syncEvent) {
        if (driver().isSyncEventPointerToHandle()) {
            driver().destroyEvent(NativeMemory.getLong(syncEvent));
            NativeMemory.free(syncEvent);
        } else {
            driver().destroyEvent(syncEvent);
        }
    }

    private DeviceDriver driver() {
        return runtime.getDriver();
    }
}
