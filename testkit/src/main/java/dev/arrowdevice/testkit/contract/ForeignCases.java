package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.EnumSet;
import java.util.Set;

/** Foreign queues and events. */
final class ForeignCases {
    private static final Set<Ability> FOREIGN = EnumSet.of(Ability.FOREIGN);

    private ForeignCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("a foreign queue runs work, and closing it here does not destroy it", FOREIGN, trial -> {
            DeviceRuntime runtime = trial.runtime();
            long handle = foreignQueue(trial);
            DeviceQueue queue = runtime.importQueue(handle);
            checkEqual(handle, queue.getHandle(), "the handle");
            copyOn(trial, queue, 1);
            queue.close();
            queue.close();
            copyOn(trial, runtime.importQueue(handle), 2);
        });
        contract.add("a foreign queue allocates memory and outlives it", FOREIGN, trial -> {
            DeviceQueue queue = trial.runtime().importQueue(foreignQueue(trial));
            DeviceBuffer buffer = trial.runtime().allocateAsync(64, queue);
            buffer.getOwner().release();
            queue.synchronize();
        });
        contract.add(
                "foreign queues and our queues wait for each other", Set.of(Ability.FOREIGN, Ability.PAUSE), trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue foreign = runtime.importQueue(foreignQueue(trial));
                    DeviceQueue own = trial.queue();
                    Runnable resume = trial.pause(foreign);
                    DeviceEvent event = trial.record(foreign);
                    runtime.waitFor(own, event);
                    DeviceEvent done = trial.record(own);
                    check(!done.isComplete(), "our queue does not wait for the foreign one");
                    resume.run();
                    done.await();
                    runtime.waitFor(foreign, done);
                    foreign.synchronize();
                });
        contract.add(
                "host and queues wait for a foreign event, and closing it here does not destroy it",
                Set.of(Ability.FOREIGN, Ability.PAUSE),
                trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = trial.queue();
                    DeviceQueue waiting = trial.queue();
                    Runnable resume = trial.pause(queue);
                    long syncEvent = trial.subject().recordForeignEvent(queue.getHandle());
                    trial.atEnd(() -> trial.subject().destroyForeignEvent(syncEvent));
                    DeviceEvent event = runtime.importEvent(syncEvent);
                    checkEqual(syncEvent, event.getSyncEvent(), "sync_event");
                    check(!event.isComplete(), "complete on a paused queue");
                    runtime.waitFor(waiting, event);
                    DeviceEvent done = trial.record(waiting);
                    java.util.concurrent.CompletableFuture<Boolean> called =
                            new java.util.concurrent.CompletableFuture<>();
                    event.whenComplete(() -> called.complete(true));
                    check(!done.isComplete(), "our queue does not wait for the foreign event");
                    resume.run();
                    done.await();
                    Trial.result(called);
                    event.await();
                    event.close();
                    event.close();
                    DeviceEvent again = trial.own(runtime.importEvent(syncEvent));
                    check(again.isComplete(), "the foreign event was destroyed");
                });
    }

    private static long foreignQueue(Trial trial) {
        long handle = trial.subject().createForeignQueue();
        trial.atEnd(() -> trial.subject().destroyForeignQueue(handle));
        return handle;
    }

    private static void copyOn(Trial trial, DeviceQueue queue, int seed) {
        DeviceBuffer source = trial.staging(pattern(100, seed));
        DeviceBuffer there = trial.allocate(100);
        DeviceBuffer back = trial.staging(100);
        trial.runtime().copyAsync(source, 0, there, 0, 100, queue);
        trial.runtime().copyAsync(there, 0, back, 0, 100, queue);
        queue.synchronize();
        checkBytes(pattern(100, seed), Trial.content(back), "the copy back");
    }
}
