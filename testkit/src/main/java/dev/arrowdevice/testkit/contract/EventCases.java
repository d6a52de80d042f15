package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Events. */
final class EventCases {
    private EventCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("an event completes after the work before it", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceQueue queue = trial.queue();
            DeviceBuffer there = trial.uploaded(pattern(1 << 20, 1));
            DeviceBuffer back = trial.staging(1 << 20);
            runtime.copyAsync(there, 0, back, 0, 1 << 20, queue);
            DeviceEvent event = trial.record(queue);
            event.await();
            checkBytes(pattern(1 << 20, 1), Trial.content(back), "the bytes after await");
            check(event.isComplete(), "not complete after await");
            event.await();
            check(Trial.sameKind(runtime, event.getDevice()), "it has another device");
        });
        contract.add(
                "an event is pending while the work before it is, and isComplete does not block",
                Set.of(Ability.PAUSE),
                trial -> {
                    DeviceQueue queue = trial.queue();
                    Runnable resume = trial.pause(queue);
                    DeviceEvent event = trial.record(queue);
                    check(!event.isComplete(), "complete on a paused queue");
                    check(!event.isComplete(), "complete on a paused queue");
                    resume.run();
                    event.await();
                    check(event.isComplete(), "not complete after await");
                });
        contract.add("await waits until the work is done", Set.of(Ability.PAUSE, Ability.QUEUED_COPIES), trial -> {
            DeviceQueue queue = trial.queue();
            DeviceBuffer there = trial.uploaded(pattern(64, 2));
            DeviceBuffer back = trial.staging(64);
            AtomicBoolean resumed = new AtomicBoolean();
            Runnable resume = trial.pause(queue);
            trial.runtime().copyAsync(there, 0, back, 0, 64, queue);
            DeviceEvent event = trial.record(queue);
            CompletableFuture<byte[]> seen = trial.async(() -> {
                event.await();
                check(resumed.get(), "await returned while the queue was paused");
                return Trial.content(back);
            });
            Trial.staysPending(seen, "await");
            resumed.set(true);
            resume.run();
            checkBytes(pattern(64, 2), Trial.result(seen), "the bytes after await");
        });
        contract.add("an event does not wait for work queued after it", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue queue = trial.queue();
            DeviceEvent event = trial.record(queue);
            trial.pause(queue);
            DeviceEvent later = trial.record(queue);
            event.await();
            check(!later.isComplete(), "the later event is complete on a paused queue");
        });
        contract.add("every method of a closed event throws, but for close", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceEvent event = runtime.record(runtime.getDefaultQueue());
            event.await();
            event.close();
            event.close();
            Class<IllegalStateException> closed = IllegalStateException.class;
            AtomicBoolean ran = new AtomicBoolean();
            checkThrows(closed, "isComplete", event::isComplete);
            checkThrows(closed, "await", event::await);
            checkThrows(closed, "syncEvent", event::getSyncEvent);
            checkThrows(closed, "whenComplete", () -> event.whenComplete(() -> ran.set(true)));
            checkThrows(closed, "waitFor", () -> runtime.waitFor(runtime.getDefaultQueue(), event));
            checkThrows(closed, "waitFor on the host", () -> runtime.waitFor(null, event));
            check(!ran.get(), "the action ran although whenComplete threw");
        });
        contract.add(
                "closing an event does not stop the work before it",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> {
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer there = trial.uploaded(pattern(64, 3));
                    DeviceBuffer back = trial.staging(64);
                    Runnable resume = trial.pause(queue);
                    trial.runtime().copyAsync(there, 0, back, 0, 64, queue);
                    trial.runtime().record(queue).close();
                    resume.run();
                    queue.synchronize();
                    checkBytes(pattern(64, 3), Trial.content(back), "the copy back");
                });
        contract.add("an event outlives its queue", trial -> {
            DeviceQueue queue = trial.runtime().createQueue();
            DeviceEvent event = trial.record(queue);
            queue.close();
            event.await();
            check(event.isComplete(), "not complete after await");
            trial.runtime().waitFor(trial.queue(), event);
        });
        contract.add("the sync_event of an event is imported as an event that we do not destroy", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceQueue queue = trial.queue();
            DeviceEvent event = trial.record(queue);
            long syncEvent = event.getSyncEvent();
            checkEqual(syncEvent, event.getSyncEvent(), "sync_event");
            if (syncEvent == 0) {
                check(event.isComplete(), "an event without a sync_event is pending");
                return;
            }
            DeviceEvent imported = runtime.importEvent(syncEvent);
            imported.await();
            check(imported.isComplete(), "not complete after await");
            runtime.waitFor(queue, imported);
            queue.synchronize();
            imported.close();
            imported.close();
            event.await();
            check(event.isComplete(), "the event was destroyed when its import was closed");
        });
        contract.add("an imported event is pending as long as the event is", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue queue = trial.queue();
            Runnable resume = trial.pause(queue);
            DeviceEvent event = trial.record(queue);
            DeviceEvent imported = trial.own(trial.runtime().importEvent(event.getSyncEvent()));
            check(!imported.isComplete(), "complete on a paused queue");
            resume.run();
            imported.await();
            check(event.isComplete(), "not complete after await of the import");
        });
        contract.add(
                "a sync_event of NULL is refused",
                trial -> checkThrows(
                        IllegalArgumentException.class,
                        "importEvent",
                        () -> trial.runtime().importEvent(0)));
    }
}
