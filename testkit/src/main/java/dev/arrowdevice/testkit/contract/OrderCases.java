package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.Device;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.testkit.contract.ForeignQueues.HostEvent;
import dev.arrowdevice.testkit.contract.ForeignQueues.Wrapper;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/** Order between queues: {@code waitFor} with each argument that may be null, and {@code join}. */
final class OrderCases {
    private OrderCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("waitFor without an event does nothing, with and without a queue", trial -> {
            trial.runtime().waitFor(null, null);
            trial.runtime().waitFor(trial.queue(), null);
        });
        contract.add("waitFor with an event and no queue waits on the host", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue queue = trial.queue();
            AtomicBoolean resumed = new AtomicBoolean();
            Runnable resume = trial.pause(queue);
            DeviceEvent event = trial.record(queue);
            CompletableFuture<Void> waited = trial.async(() -> {
                trial.runtime().waitFor(null, event);
                check(resumed.get(), "waitFor returned while the queue was paused");
            });
            Trial.staysPending(waited, "waitFor");
            resumed.set(true);
            resume.run();
            Trial.result(waited);
        });
        contract.add("waitFor with a complete event delays nothing", trial -> {
            DeviceEvent event = trial.record(trial.queue());
            event.await();
            DeviceQueue queue = trial.queue();
            trial.runtime().waitFor(null, event);
            trial.runtime().waitFor(queue, event);
            queue.synchronize();
        });
        contract.add(
                "work queued after waitFor waits for the event, and the call returns at once",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> orders(trial, (queue, event) -> trial.runtime().waitFor(queue, event)));
        contract.add(
                "the event may be closed as soon as waitFor returns",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> orders(trial, (queue, event) -> {
                    trial.runtime().waitFor(queue, event);
                    event.close();
                }));
        contract.add(
                "a wrapper of an event orders as well, by its sync_event",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> orders(trial, (queue, event) -> trial.runtime().waitFor(queue, new Wrapper(event))));
        contract.add(
                "an imported event orders as well",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> orders(trial, (queue, event) -> {
                    try (DeviceEvent imported = trial.runtime().importEvent(event.getSyncEvent())) {
                        trial.runtime().waitFor(queue, imported);
                    }
                }));
        contract.add(
                "waitFor returns at once for the event of an array of the device", Set.of(Ability.PAUSE), trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue first = trial.queue();
                    DeviceQueue second = trial.queue();
                    Runnable resume = trial.pause(first);
                    DeviceEvent event = trial.record(first);
                    Trial.result(trial.async(() -> runtime.waitFor(second, new Wrapper(event, runtime.getDevice()))));
                    DeviceEvent after = trial.record(second);
                    check(!after.isComplete(), "the queue does not wait");
                    resume.run();
                    after.await();
                });
        contract.add("work queued before waitFor does not wait", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue first = trial.queue();
            DeviceQueue second = trial.queue();
            DeviceBuffer there = trial.uploaded(pattern(64, 2));
            DeviceBuffer back = trial.staging(64);
            trial.pause(first);
            DeviceEvent event = trial.record(first);
            trial.runtime().copyAsync(there, 0, back, 0, 64, second);
            DeviceEvent before = trial.record(second);
            trial.runtime().waitFor(second, event);
            DeviceEvent after = trial.record(second);
            before.await();
            checkBytes(pattern(64, 2), Trial.content(back), "the work queued before");
            check(!after.isComplete(), "the work queued after did not wait");
        });
        contract.add("the host waits for an event of a device that this one can't wait for", trial -> {
            HostEvent event = new HostEvent(trial.isCpu() ? Trial.FOREIGN_DEVICE : Device.CPU);
            awaitsOnHost(trial, event);
        });
        contract.add(
                "the host waits for an event of this device without a sync_event",
                trial -> awaitsOnHost(trial, new HostEvent(trial.queue().getDevice())));
        joins(contract);
    }

    /** Checks that a queue's work waits for another queue's event after a call of {@code waitFor}. */
    private static void orders(Trial trial, BiConsumer<DeviceQueue, DeviceEvent> waitFor) {
        DeviceRuntime runtime = trial.runtime();
        DeviceQueue first = trial.queue();
        DeviceQueue second = trial.queue();
        DeviceBuffer upload = trial.staging(pattern(64, 1));
        DeviceBuffer there = trial.uploaded(new byte[64]);
        DeviceBuffer back = trial.staging(64);
        Runnable resume = trial.pause(first);
        runtime.copyAsync(upload, 0, there, 0, 64, first);
        waitFor.accept(second, trial.record(first));
        runtime.copyAsync(there, 0, back, 0, 64, second);
        DeviceEvent done = trial.record(second);
        check(!done.isComplete(), "the second queue does not wait for the first");
        resume.run();
        done.await();
        checkBytes(pattern(64, 1), Trial.content(back), "the bytes that the second queue read");
    }

    private static void awaitsOnHost(Trial trial, HostEvent event) throws Exception {
        DeviceQueue queue = trial.queue();
        CompletableFuture<Void> waited = trial.async(() -> trial.runtime().waitFor(queue, event));
        Trial.staysPending(waited, "waitFor");
        event.done.countDown();
        Trial.result(waited);
        checkEqual(1, event.awaited.get(), "how often it was awaited");
        queue.synchronize();
    }

    private static void joins(DeviceContract contract) {
        contract.add("join of no events is complete", trial -> {
            DeviceEvent joined = trial.own(trial.runtime().join(List.of()));
            joined.await();
            check(joined.isComplete(), "not complete after await");
        });
        contract.add(
                "join completes when all events have, even if they were closed before",
                Set.of(Ability.PAUSE),
                trial -> {
                    DeviceQueue first = trial.queue();
                    DeviceQueue second = trial.queue();
                    Runnable resumeFirst = trial.pause(first);
                    DeviceEvent one = trial.runtime().record(first);
                    Runnable resumeSecond = trial.pause(second);
                    DeviceEvent two = trial.runtime().record(second);
                    DeviceEvent joined = trial.own(trial.runtime().join(List.of(one, two)));
                    DeviceEvent firstIsDone = trial.record(first);
                    one.close();
                    two.close();
                    check(!joined.isComplete(), "complete on paused queues");
                    resumeFirst.run();
                    firstIsDone.await();
                    check(!joined.isComplete(), "complete while one queue is paused");
                    resumeSecond.run();
                    joined.await();
                    check(joined.isComplete(), "not complete after await");
                });
    }
}
