package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Releases;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A device that refuses to say whether work is over: the work goes on, and its memory is kept until it is over. */
final class RefusalCases {
    private static final Set<Ability> NEEDED = Set.of(Ability.FAULTS, Ability.PAUSE, Ability.QUEUED_COPIES);
    private static final int SIZE = 4096;

    private RefusalCases() {}

    static void addTo(DeviceContract contract) {
        refused(contract, "await", Fault.AWAIT, (queue, event) -> event.await());
        refused(contract, "isComplete", Fault.IS_COMPLETE, (queue, event) -> event.isComplete());
        refused(contract, "synchronize", Fault.SYNCHRONIZE, (queue, event) -> queue.synchronize());
        kept(contract, "await is refused", Fault.AWAIT);
        kept(contract, "isComplete is refused", Fault.IS_COMPLETE);
        kept(contract, "isComplete and await are refused", Fault.IS_COMPLETE, Fault.AWAIT);
        kept(contract, "no queue can be created and await is refused", Fault.CREATE_QUEUE, Fault.AWAIT);
        contract.add(
                "memory that was allocated in the order of a queue is kept until the queue's work is over, although "
                        + "record and synchronize are refused",
                NEEDED,
                RefusalCases::orderedMemoryIsKept);
    }

    private interface Question {
        void ask(DeviceQueue queue, DeviceEvent event);
    }

    private static void refused(DeviceContract contract, String name, Fault fault, Question question) {
        contract.add("a refused " + name + " is no failure of the work, which goes on", NEEDED, trial -> {
            DeviceQueue queue = trial.queue();
            DeviceBuffer there = trial.uploaded(pattern(SIZE, 1));
            DeviceBuffer back = trial.staging(SIZE);
            Runnable resume = trial.pause(queue);
            trial.runtime().copyAsync(there, 0, back, 0, SIZE, queue);
            DeviceEvent event = trial.record(queue);
            trial.subject().failNext(fault);
            DeviceException e = checkThrows(DeviceException.class, name, () -> question.ask(queue, event));
            check(!e.isWorkFailure(), "it says that work has failed: " + e);
            check(!event.isComplete(), "the event is complete");
            resume.run();
            event.await();
            checkBytes(pattern(SIZE, 1), Trial.content(back), "the copy");
        });
    }

    private static void kept(DeviceContract contract, String what, Fault... faults) {
        contract.add("memory is kept until the work that uses it is over, although " + what, NEEDED, trial -> {
            DeviceQueue queue = trial.queue();
            DeviceBuffer there = trial.uploaded(pattern(SIZE, 2));
            DeviceBuffer back = trial.runtime().allocateStaging(SIZE);
            CompletableFuture<byte[]> released = new CompletableFuture<>();
            Runnable resume = trial.pause(queue);
            trial.runtime().copyAsync(there, 0, back, 0, SIZE, queue);
            DeviceEvent event = trial.runtime().record(queue);
            List.of(faults).forEach(trial.subject()::failNext);
            Releases.after(event, new ReferenceCounted() {
                @Override
                protected void free() {
                    released.complete(Trial.content(back));
                    back.getOwner().release();
                }
            });
            Trial.staysPending(released, "the use of the memory");
            resume.run();
            checkBytes(pattern(SIZE, 2), Trial.result(released), "what was copied when the memory was released");
            trial.subject().forgetFailures();
        });
    }

    private static void orderedMemoryIsKept(Trial trial) throws Exception {
        DeviceQueue queue = trial.queue();
        DeviceBuffer upload = trial.staging(pattern(SIZE, 3));
        DeviceBuffer back = trial.staging(SIZE);
        DeviceBuffer ordered = trial.runtime().allocateAsync(SIZE, queue); // It may wait for all queues.
        Runnable resume = trial.pause(queue);
        trial.runtime().copyAsync(upload, 0, ordered, 0, SIZE, queue);
        trial.runtime().copyAsync(ordered, 0, back, 0, SIZE, queue);
        trial.subject().failNext(Fault.RECORD);
        trial.subject().failNext(Fault.SYNCHRONIZE);
        ordered.getOwner().release();
        if (ArrowCounters.now().pendingReleases() > 0) { // Otherwise the driver frees it in the queue's order.
            Trial.staysPending(trial.async(ReleaseBalance::awaitDeferredReleases), "the release");
        }
        resume.run();
        ReleaseBalance.awaitDeferredReleases();
        trial.subject().forgetFailures();
        queue.synchronize();
        checkBytes(pattern(SIZE, 3), Trial.content(back), "the copy");
    }
}
