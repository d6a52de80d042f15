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

/** Queues. */
final class QueueCases {
    private QueueCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("the default queue belongs to the device and can still be used after close", trial -> {
            DeviceRuntime runtime = trial.runtime();
            runtime.getDefaultQueue().close();
            runtime.getDefaultQueue().close();
            runtime.getDefaultQueue().synchronize();
            checkEqual(
                    runtime.getDefaultQueue().getHandle(),
                    runtime.getDefaultQueue().getHandle(),
                    "its handle");
            check(Trial.sameKind(runtime, runtime.getDefaultQueue().getDevice()), "it has another device");
            checkBytes(pattern(10, 1), trial.download(trial.uploaded(pattern(10, 1))), "a copy");
        });
        contract.add("a new queue belongs to the device and has no work to wait for", trial -> {
            DeviceQueue queue = trial.queue();
            check(Trial.sameKind(trial.runtime(), queue.getDevice()), "it has another device");
            queue.synchronize();
            queue.synchronize();
        });
        contract.add("a queue can be closed more than once", trial -> {
            DeviceQueue queue = trial.runtime().createQueue();
            queue.close();
            queue.close();
        });
        contract.add("every method that takes a queue throws for a closed one", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceBuffer buffer = trial.allocate(64);
            DeviceBuffer other = trial.allocate(64);
            DeviceEvent event = trial.record(runtime.getDefaultQueue());
            DeviceQueue queue = runtime.createQueue();
            queue.close();
            Class<IllegalStateException> closed = IllegalStateException.class;
            checkThrows(closed, "synchronize", queue::synchronize);
            checkThrows(closed, "copyAsync", () -> runtime.copyAsync(buffer, 0, other, 0, 64, queue));
            checkThrows(closed, "allocateAsync", () -> runtime.allocateAsync(64, queue));
            checkThrows(closed, "record", () -> runtime.record(queue));
            checkThrows(closed, "waitFor", () -> runtime.waitFor(queue, event));
        });
        contract.add("a queue lives until its last owner closes it", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceQueue first = runtime.createQueue();
            DeviceQueue second = first.share();
            checkEqual(first.getHandle(), second.getHandle(), "the handle of the shared queue");
            first.close();
            checkThrows(IllegalStateException.class, "synchronize", first::synchronize);
            checkThrows(IllegalStateException.class, "share", first::share);
            DeviceBuffer there = trial.uploaded(pattern(64, 3));
            DeviceBuffer back = trial.staging(64);
            runtime.copyAsync(there, 0, back, 0, 64, second);
            second.synchronize();
            checkBytes(pattern(64, 3), Trial.content(back), "a copy on the shared queue");
            second.close();
            checkThrows(IllegalStateException.class, "synchronize", second::synchronize);
        });
        contract.add("share of the default queue returns the same queue", trial -> {
            try (DeviceQueue shared = trial.runtime().getDefaultQueue().share()) {
                checkEqual(trial.runtime().getDefaultQueue().getHandle(), shared.getHandle(), "its handle");
            }
            trial.runtime().getDefaultQueue().synchronize();
        });
        contract.add("queues are independent of each other", Set.of(Ability.PAUSE), trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceQueue paused = trial.queue();
            DeviceQueue other = trial.queue();
            DeviceBuffer there = trial.uploaded(pattern(64, 3));
            DeviceBuffer back = trial.staging(64);
            trial.pause(paused);
            DeviceEvent pending = trial.record(paused);
            runtime.copyAsync(there, 0, back, 0, 64, other);
            other.synchronize();
            checkBytes(pattern(64, 3), Trial.content(back), "the other queue's copy");
            check(!pending.isComplete(), "the paused queue went on");
        });
        contract.add(
                "synchronize waits for the work queued so far", Set.of(Ability.PAUSE, Ability.QUEUED_COPIES), trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer there = trial.uploaded(pattern(64, 4));
                    DeviceBuffer back = trial.staging(64);
                    AtomicBoolean resumed = new AtomicBoolean();
                    Runnable resume = trial.pause(queue);
                    runtime.copyAsync(there, 0, back, 0, 64, queue);
                    CompletableFuture<byte[]> seen = trial.async(() -> {
                        queue.synchronize();
                        check(resumed.get(), "synchronize returned while the queue was paused");
                        return Trial.content(back);
                    });
                    Trial.staysPending(seen, "synchronize");
                    resumed.set(true);
                    resume.run();
                    checkBytes(pattern(64, 4), Trial.result(seen), "the bytes after synchronize");
                });
        contract.add(
                "close does not wait for queued work, which is still done",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = runtime.createQueue();
                    DeviceBuffer there = trial.uploaded(pattern(64, 5));
                    DeviceBuffer back = trial.staging(64);
                    Runnable resume = trial.pause(queue);
                    runtime.copyAsync(there, 0, back, 0, 64, queue);
                    DeviceEvent event = trial.record(queue);
                    queue.close();
                    checkBytes(new byte[64], Trial.content(back), "the target of a copy on a paused queue");
                    resume.run();
                    event.await();
                    checkBytes(pattern(64, 5), Trial.content(back), "the copy back");
                });
    }
}
