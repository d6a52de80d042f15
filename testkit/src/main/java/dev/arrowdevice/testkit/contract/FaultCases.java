package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Failures of the device. */
final class FaultCases {
    private static final Set<Ability> FAULTS = Set.of(Ability.FAULTS);
    private static final Set<Ability> LATER = Set.of(Ability.FAULTS, Ability.QUEUED_COPIES);
    private static final Set<Ability> LATER_AND_PAUSE = Set.of(Ability.FAULTS, Ability.QUEUED_COPIES, Ability.PAUSE);

    private FaultCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("allocate throws if memory runs out, and allocates nothing", FAULTS, trial -> {
            trial.subject().failNext(Fault.ALLOCATE);
            DeviceException e = checkThrows(
                    OutOfDeviceMemoryException.class,
                    "allocate",
                    () -> trial.runtime().allocate(64));
            checkReports(trial, e);
            trial.allocate(64);
        });
        contract.add("allocateStaging throws if memory runs out, and allocates nothing", FAULTS, trial -> {
            trial.subject().failNext(Fault.ALLOCATE_STAGING);
            DeviceException e = checkThrows(
                    OutOfDeviceMemoryException.class,
                    "allocateStaging",
                    () -> trial.runtime().allocateStaging(64));
            checkReports(trial, e);
            trial.staging(64);
        });
        contract.add("createQueue throws if it fails, and creates nothing", FAULTS, trial -> {
            trial.subject().failNext(Fault.CREATE_QUEUE);
            checkReports(
                    trial,
                    checkThrows(
                            DeviceException.class,
                            "createQueue",
                            () -> trial.runtime().createQueue()));
            trial.queue().synchronize();
        });
        contract.add("record throws if it fails, and creates no event", FAULTS, trial -> {
            DeviceQueue queue = trial.queue();
            trial.subject().failNext(Fault.RECORD);
            checkReports(
                    trial,
                    checkThrows(
                            DeviceException.class,
                            "record",
                            () -> trial.runtime().record(queue)));
            trial.record(queue).await();
        });
        reportedBy(contract, "synchronize of its queue", (queue, event) -> queue.synchronize());
        reportedBy(contract, "await of an event after it", (queue, event) -> event.await());
        reportedBy(contract, "isComplete of an event after it", (queue, event) -> {
            while (!event.isComplete()) {
                Thread.onSpinWait();
            }
        });
        contract.add("an action for a pending event runs even if the work fails", LATER_AND_PAUSE, trial -> {
            DeviceQueue queue = trial.queue();
            FailingCopy copy = new FailingCopy(trial);
            Runnable resume = trial.pause(queue);
            DeviceEvent event = copy.queue(queue);
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            event.whenComplete(() -> ran.complete(true));
            Trial.staysPending(ran, "the event");
            resume.run();
            Trial.result(ran);
            checkThrows(DeviceException.class, "await", event::await);
        });
        contract.add("an action for an event whose work has failed is refused and does not run", LATER, trial -> {
            DeviceEvent event = failingLater(trial, trial.queue());
            checkThrows(DeviceException.class, "await", event::await);
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            checkThrows(DeviceException.class, "whenComplete", () -> event.whenComplete(() -> ran.complete(true)));
            check(!ran.isDone(), "the action ran although whenComplete threw");
        });
    }

    private interface FaultReport {
        void ask(DeviceQueue queue, DeviceEvent event);
    }

    private static void reportedBy(DeviceContract contract, String name, FaultReport report) {
        contract.add("a copy that fails is reported by " + name, LATER, trial -> {
            DeviceQueue queue = trial.queue();
            DeviceEvent event = failingLater(trial, queue);
            DeviceException e = checkThrows(DeviceException.class, name, () -> report.ask(queue, event));
            checkReports(trial, e);
            check(e.isWorkFailure(), "it does not say that work has failed: " + e);
        });
    }

    /**
     * An event after a copy that fails. A device whose work has failed may refuse to record an event, so the queue is paused
     * until it is recorded.
     */
    private static DeviceEvent failingLater(Trial trial, DeviceQueue queue) {
        FailingCopy copy = new FailingCopy(trial);
        Runnable resume = trial.subject().abilities().contains(Ability.PAUSE) ? trial.pause(queue) : () -> {};
        DeviceEvent event = copy.queue(queue);
        resume.run();
        return event;
    }

    /** A copy that will fail. Made before a queue is paused, because allocations may wait for queues. */
    private static final class FailingCopy {
        private final Trial trial;
        private final DeviceBuffer source;
        private final DeviceBuffer target;

        FailingCopy(Trial trial) {
            this.trial = trial;
            this.source = trial.staging(pattern(64, 1));
            this.target = trial.allocate(64);
        }

        DeviceEvent queue(DeviceQueue queue) {
            trial.subject().failNext(Fault.COPY);
            trial.runtime().copyAsync(source, 0, target, 0, 64, queue);
            return trial.record(queue);
        }
    }

    private static void checkReports(Trial trial, DeviceException e) {
        check(
                !e.getOperation().isBlank() && e.getMessage().contains(e.getOperation()),
                "the message does not name the operation: " + e);
        check(
                e.getCode() != 0 && e.getMessage().contains(Integer.toString(e.getCode())),
                "the message does not have the code: " + e);
        check(Trial.sameKind(trial.runtime(), e.getDevice()), "the exception has another device: " + e);
    }
}
