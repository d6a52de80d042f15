package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Many threads at once. */
final class ThreadCases {
    private static final int THREADS = 8;
    private static final int ROUNDS = 40;
    private static final int SIZE = 10_000;

    private ThreadCases() {}

    private interface Task {
        void run(int thread) throws Exception;
    }

    static void addTo(DeviceContract contract) {
        contract.add(
                "many threads use the device, each with a queue of its own",
                trial -> inThreads(trial, thread -> {
                    try (DeviceQueue queue = trial.runtime().createQueue()) {
                        for (int round = 0; round < ROUNDS; round++) {
                            roundTrip(trial.runtime(), queue, thread * ROUNDS + round);
                        }
                    }
                }));
        contract.add("many threads use one queue", trial -> {
            DeviceQueue queue = trial.queue();
            inThreads(trial, thread -> {
                for (int round = 0; round < ROUNDS; round++) {
                    roundTrip(trial.runtime(), queue, thread * ROUNDS + round);
                }
            });
        });
        contract.add("many threads use and close an event: each call works or throws because it is closed", trial -> {
            DeviceQueue queue = trial.queue();
            for (int round = 0; round < ROUNDS; round++) {
                DeviceEvent event = trial.runtime().record(queue);
                AtomicInteger started = new AtomicInteger();
                AtomicInteger actions = new AtomicInteger();
                inThreads(trial, thread -> {
                    started.incrementAndGet();
                    while (started.get() < THREADS) {
                        Thread.onSpinWait();
                    }
                    try {
                        if (thread == 0) {
                            event.close();
                        } else if (thread % 3 == 0) {
                            event.await();
                        } else if (thread % 3 == 1) {
                            event.isComplete();
                            event.getSyncEvent();
                        } else {
                            event.whenComplete(actions::incrementAndGet);
                        }
                    } catch (IllegalStateException e) {
                        // The event was closed first.
                    }
                });
            }
        });
        contract.add("many threads use and close a queue: each call works or throws because it is closed", trial -> {
            DeviceBuffer source = trial.staging(SIZE);
            DeviceBuffer target = trial.allocate(SIZE);
            for (int round = 0; round < ROUNDS; round++) {
                DeviceQueue queue = trial.runtime().createQueue();
                AtomicInteger started = new AtomicInteger();
                inThreads(trial, thread -> {
                    started.incrementAndGet();
                    while (started.get() < THREADS) {
                        Thread.onSpinWait();
                    }
                    try {
                        if (thread == 0) {
                            queue.close();
                        } else {
                            // A copy of no bytes, because once the queue is closed nobody could wait for a longer one.
                            trial.runtime().copyAsync(source, 0, target, 0, 0, queue);
                            try (DeviceEvent done = trial.runtime().record(queue)) {
                                done.await();
                            }
                        }
                    } catch (IllegalStateException e) {
                        // The queue was closed first.
                    }
                });
            }
        });
    }

    private static void roundTrip(DeviceRuntime runtime, DeviceQueue queue, int seed) {
        byte[] content = pattern(SIZE, seed);
        DeviceBuffer source = runtime.allocateStaging(SIZE);
        DeviceBuffer there = seed % 2 == 0 ? runtime.allocate(SIZE) : runtime.allocateAsync(SIZE, queue);
        DeviceBuffer back = runtime.allocateStaging(SIZE);
        try {
            source.memory().put(0, content, 0, SIZE);
            runtime.copyAsync(source, 0, there, 0, SIZE, queue);
            runtime.copyAsync(there, 0, back, 0, SIZE, queue);
            try (DeviceEvent event = runtime.record(queue)) {
                event.await();
            }
            checkBytes(content, Trial.content(back), "the copy back");
        } finally {
            source.getOwner().release();
            there.getOwner().release();
            back.getOwner().release();
        }
    }

    private static void inThreads(Trial trial, Task task) throws Exception {
        List<CompletableFuture<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            running.add(trial.async(() -> {
                task.run(thread);
                return null;
            }));
        }
        for (CompletableFuture<?> one : running) {
            Trial.result(one);
        }
    }
}
