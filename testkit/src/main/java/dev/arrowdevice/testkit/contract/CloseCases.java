package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Closing a runtime. */
final class CloseCases {
    private static final Set<Ability> CLOSE = Set.of(Ability.CLOSE);

    private CloseCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("a closed runtime is not registered any more, and every method throws", CLOSE, trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceBuffer one = trial.allocate(64);
            DeviceBuffer two = trial.allocate(64);
            DeviceQueue queue = trial.queue();
            DeviceEvent event = trial.record(queue);
            trial.subject().closeRuntime();
            trial.subject().closeRuntime();
            check(Devices.find(runtime.getDevice()) != runtime, "it is still registered");
            Class<IllegalStateException> closed = IllegalStateException.class;
            checkThrows(closed, "allocate", () -> runtime.allocate(64));
            checkThrows(closed, "allocateStaging", () -> runtime.allocateStaging(64));
            checkThrows(closed, "allocateAsync", () -> runtime.allocateAsync(64, queue));
            checkThrows(closed, "memoryInfo", runtime::getMemoryInfo);
            checkThrows(closed, "createQueue", runtime::createQueue);
            checkThrows(closed, "importQueue", () -> runtime.importQueue(queue.getHandle()));
            checkThrows(closed, "importEvent", () -> runtime.importEvent(event.getSyncEvent()));
            checkThrows(closed, "record", () -> runtime.record(queue));
            checkThrows(closed, "copyAsync", () -> runtime.copyAsync(one, 0, two, 0, 64, queue));
            checkThrows(closed, "waitFor", () -> runtime.waitFor(queue, event));
            checkThrows(closed, "waitFor on the host", () -> runtime.waitFor(null, event));
            runtime.getDevice();
            runtime.getDescription();
        });
        contract.add(
                "queues, events and memory outlive the runtime",
                Set.of(Ability.CLOSE, Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer there = trial.uploaded(pattern(64, 1));
                    DeviceBuffer back = trial.staging(64);
                    DeviceBuffer ordered = runtime.allocateAsync(64, queue);
                    Runnable resume = trial.pause(queue);
                    runtime.copyAsync(there, 0, back, 0, 64, queue);
                    DeviceEvent event = trial.record(queue);
                    CompletableFuture<Boolean> called = new CompletableFuture<>();
                    event.whenComplete(() -> called.complete(true));
                    trial.subject().closeRuntime();
                    check(!event.isComplete(), "complete on a paused queue");
                    resume.run();
                    event.await();
                    Trial.result(called);
                    checkBytes(pattern(64, 1), Trial.content(back), "the copy back");
                    queue.synchronize();
                    ordered.getOwner().release();
                    event.close();
                    queue.close();
                });
    }
}
