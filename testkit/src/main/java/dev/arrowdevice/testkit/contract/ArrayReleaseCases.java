package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.ArraySamples.checkValues;
import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The memory of arrays is released when the work that uses it is done, and not before. */
final class ArrayReleaseCases {
    private static final Set<Ability> QUEUED = Set.of(Ability.PAUSE, Ability.QUEUED_COPIES);
    private static final int MANY = 40_000;

    private ArrayReleaseCases() {}

    static void addTo(DeviceContract contract) {
        contract.addOnDevice(
                "the source of a copy from pinned memory is kept until the copy is done", QUEUED, trial -> {
                    DeviceQueue queue = trial.queue();
                    try (DeviceArray expected = ArraySamples.longs(CpuRuntime.INSTANCE, MANY)) {
                        DeviceArray pinned = pinned(trial, queue);
                        ArrowCounters before = ArrowCounters.now();
                        Runnable resume = trial.pause(queue);
                        DeviceArray there = pinned.copyToAsync(trial.runtime(), queue);
                        pinned.close();
                        check(!isReady(there), "complete on a paused queue");
                        checkAtLeast(before.deviceBuffers() + 1, "the source and the copy");
                        resume.run();
                        checkValues(expected, there, "the copy");
                        there.close();
                    }
                });
        contract.addOnDevice("an array of the device is kept until the copy from it is done", QUEUED, trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray expected = ArraySamples.deep().build()) {
                DeviceArray there = expected.copyTo(trial.runtime());
                ReleaseBalance.awaitDeferredReleases();
                ArrowCounters before = ArrowCounters.now();
                Runnable resume = trial.pause(queue);
                DeviceArray again = there.copyToAsync(trial.runtime(), queue);
                there.close();
                check(!isReady(again), "complete on a paused queue");
                checkAtLeast(before.deviceBuffers() + 1, "the source and the copy");
                resume.run();
                checkValues(expected, again, "the copy");
                again.close();
                ReleaseBalance.awaitDeferredReleases();
                checkEqual(before.deviceBuffers() - 1, ArrowCounters.now().deviceBuffers(), "the buffers in the end");
            }
        });
        contract.add("closeAsync keeps the memory for work that is queued, and for nobody else", QUEUED, trial -> {
            DeviceQueue queue = trial.queue();
            DeviceArray there = ArraySamples.longs(trial.runtime(), 100);
            there.await();
            ReleaseBalance.awaitDeferredReleases();
            DeviceBuffer values = Objects.requireNonNull(there.getData().buffer(1));
            byte[] content = trial.download(values);
            DeviceBuffer back = trial.staging(content.length);
            ArrowCounters before = ArrowCounters.now();
            Runnable resume = trial.pause(queue);
            there.awaitAsync(queue);
            trial.runtime().copyAsync(values, 0, back, 0, content.length, queue);
            there.closeAsync(queue);
            there.closeAsync(queue);
            check(!there.isLive(), "it is still live");
            checkEqual(
                    before.deviceBuffers(),
                    ArrowCounters.now().deviceBuffers(),
                    "the buffers while the queue is paused");
            resume.run();
            queue.synchronize();
            checkBytes(content, Trial.content(back), "the values that the work read");
            ReleaseBalance.awaitDeferredReleases();
            check(ArrowCounters.now().deviceBuffers() < before.deviceBuffers(), "the memory was not released");
        });
        contract.add("work that is queued after awaitAsync waits for the values", QUEUED, trial -> {
            DeviceQueue producer = trial.queue();
            DeviceQueue consumer = trial.queue();
            try (DeviceArray values = ArraySamples.longs(CpuRuntime.INSTANCE, 100)) {
                QueuedArray prepared = QueuedArray.prepare(trial, values);
                DeviceBuffer back = trial.staging(800);
                Runnable resume = trial.pause(producer);
                DeviceArray there = prepared.fill(producer);
                trial.atEnd(there::close);
                there.awaitAsync(consumer);
                DeviceBuffer numbers = Objects.requireNonNull(there.getData().buffer(1));
                trial.runtime().copyAsync(numbers, 0, back, 0, 800, consumer);
                DeviceEvent done = trial.record(consumer);
                CompletableFuture<Void> waited = trial.async(done::await);
                Trial.staysPending(waited, "the work behind awaitAsync");
                resume.run();
                Trial.result(waited);
                checkEqual(8L, back.memory().getLong(8), "the second number");
            }
        });
    }

    /** An array in pinned memory, large enough to be copied to the device from there. */
    static DeviceArray pinned(Trial trial, DeviceQueue queue) {
        DeviceArray pinned;
        try (DeviceArray built = ArraySamples.longs(trial.runtime(), MANY)) {
            pinned = built.copyToAsync(Device.CPU, queue);
        }
        pinned.await();
        ReleaseBalance.awaitDeferredReleases();
        return pinned;
    }

    static boolean isReady(DeviceArray array) {
        DeviceEvent ready = array.getReadyEvent();
        return ready == null || ready.isComplete();
    }

    private static void checkAtLeast(long expected, String what) {
        long buffers = ArrowCounters.now().deviceBuffers();
        check(buffers >= expected, what + " are " + buffers + " buffers and should be " + expected);
    }
}
