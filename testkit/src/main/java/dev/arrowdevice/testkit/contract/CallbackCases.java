package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.Releases;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Actions that run when an event completes. */
final class CallbackCases {
    private static final int ACTIONS = 20;

    private CallbackCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("an action for a complete event runs on the calling thread, before the call returns", trial -> {
            DeviceEvent event = trial.record(trial.queue());
            event.await();
            List<Thread> ran = new ArrayList<>();
            event.whenComplete(() -> ran.add(Thread.currentThread()));
            checkEqual(List.of(Thread.currentThread()), ran, "where it ran");
        });
        contract.add(
                "an action for a pending event runs after the work, once, on a thread of the runtime",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> {
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer there = trial.uploaded(pattern(64, 1));
                    DeviceBuffer back = trial.staging(64);
                    Runnable resume = trial.pause(queue);
                    trial.runtime().copyAsync(there, 0, back, 0, 64, queue);
                    DeviceEvent event = trial.record(queue);
                    AtomicInteger runs = new AtomicInteger();
                    CompletableFuture<Thread> ran = new CompletableFuture<>();
                    CompletableFuture<byte[]> seen = new CompletableFuture<>();
                    event.whenComplete(() -> {
                        runs.incrementAndGet();
                        seen.complete(Trial.content(back));
                        ran.complete(Thread.currentThread());
                    });
                    Trial.staysPending(ran, "the event");
                    resume.run();
                    check(Trial.result(ran) != Thread.currentThread(), "it ran on the calling thread");
                    checkBytes(pattern(64, 1), Trial.result(seen), "the bytes that the action read");
                    event.await();
                    queue.synchronize();
                    checkEqual(1, runs.get(), "how often it ran");
                });
        contract.add("each of many actions runs once", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue queue = trial.queue();
            Runnable resume = trial.pause(queue);
            DeviceEvent event = trial.record(queue);
            AtomicInteger[] runs = new AtomicInteger[ACTIONS];
            CountDownLatch all = new CountDownLatch(ACTIONS);
            for (int i = 0; i < ACTIONS; i++) {
                AtomicInteger counter = new AtomicInteger();
                runs[i] = counter;
                event.whenComplete(() -> {
                    counter.incrementAndGet();
                    all.countDown();
                });
            }
            resume.run();
            check(all.await(30, TimeUnit.SECONDS), all.getCount() + " actions did not run");
            for (AtomicInteger counter : runs) {
                checkEqual(1, counter.get(), "how often it ran");
            }
        });
        contract.add("an action runs although the event was closed before", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue queue = trial.queue();
            Runnable resume = trial.pause(queue);
            DeviceEvent event = trial.runtime().record(queue);
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            event.whenComplete(() -> ran.complete(true));
            event.close();
            Trial.staysPending(ran, "the event");
            resume.run();
            Trial.result(ran);
        });
        contract.add("a complete event takes more than one action", trial -> {
            DeviceEvent event = trial.record(trial.queue());
            event.await();
            AtomicInteger runs = new AtomicInteger();
            event.whenComplete(runs::incrementAndGet);
            event.whenComplete(runs::incrementAndGet);
            checkEqual(2, runs.get(), "how many actions ran");
        });
        contract.add(
                "memory is released once the work that uses it is done",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> {
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer there = trial.runtime().allocate(64);
                    there.getOwner().retain();
                    DeviceBuffer upload = trial.staging(pattern(64, 2));
                    Runnable resume = trial.pause(queue);
                    trial.runtime().copyAsync(upload, 0, there, 0, 64, queue);
                    Releases.after(trial.runtime().record(queue), there.getOwner());
                    checkEqual(2, there.getOwner().getReferenceCount(), "the references while the queue is paused");
                    resume.run();
                    queue.synchronize();
                    dev.arrowdevice.testkit.ReleaseBalance.awaitDeferredReleases();
                    checkEqual(1, there.getOwner().getReferenceCount(), "the references after the work");
                    there.getOwner().release();
                });
    }
}
