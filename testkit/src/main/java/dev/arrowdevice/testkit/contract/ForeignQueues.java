package dev.arrowdevice.testkit.contract;

import dev.arrowdevice.Device;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues and events that are not the runtime's own. */
final class ForeignQueues {
    private ForeignQueues() {}

    /** A queue of a device that does not exist. */
    static final class ForeignQueue implements DeviceQueue {
        @Override
        public Device getDevice() {
            return Trial.FOREIGN_DEVICE;
        }

        @Override
        public long getHandle() {
            return 0;
        }

        @Override
        public void synchronize() {}

        @Override
        public DeviceQueue share() {
            return this;
        }

        @Override
        public void close() {}
    }

    /** An event of the host, completed by {@code done}. No device can wait for it. */
    static final class HostEvent implements DeviceEvent {
        private final Device device;
        final CountDownLatch done = new CountDownLatch(1);
        final AtomicInteger awaited = new AtomicInteger();

        HostEvent(Device device) {
            this.device = device;
        }

        @Override
        public Device getDevice() {
            return device;
        }

        @Override
        public boolean isComplete() {
            return done.getCount() == 0;
        }

        @Override
        public void await() {
            awaited.incrementAndGet();
            try {
                done.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void whenComplete(Runnable action) {
            throw new UnsupportedOperationException("whenComplete");
        }

        @Override
        public long getSyncEvent() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Another object for an event of the runtime, like a wrapper or a second import. */
    static final class Wrapper implements DeviceEvent {
        private final DeviceEvent event;
        private final Device device;

        Wrapper(DeviceEvent event) {
            this(event, event.getDevice());
        }

        /** @param device another name of the event's device, such as that of its pinned memory */
        Wrapper(DeviceEvent event, Device device) {
            this.event = event;
            this.device = device;
        }

        @Override
        public Device getDevice() {
            return device;
        }

        @Override
        public boolean isComplete() {
            return event.isComplete();
        }

        @Override
        public void await() {
            event.await();
        }

        @Override
        public void whenComplete(Runnable action) {
            event.whenComplete(action);
        }

        @Override
        public long getSyncEvent() {
            return event.getSyncEvent();
        }

        @Override
        public void close() {
            event.close();
        }
    }
}
