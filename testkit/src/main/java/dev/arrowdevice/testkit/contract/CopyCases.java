package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.testkit.contract.ForeignQueues.ForeignQueue;
import java.util.Arrays;
import java.util.Set;

/** Copies. */
final class CopyCases {
    private static final int[] SIZES = {1, 63, 64, 65, 4097, (1 << 20) + 3};

    private CopyCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("any number of bytes is copied to the device and back through staging memory", trial -> {
            for (int size : SIZES) {
                checkBytes(pattern(size, size), trial.download(trial.uploaded(pattern(size, size))), size + " bytes");
            }
        });
        contract.add("bytes are copied to the device and back from ordinary memory of the host", trial -> {
            for (int size : SIZES) {
                DeviceBuffer source = trial.own(CpuRuntime.INSTANCE.allocate(size));
                DeviceBuffer back = trial.own(CpuRuntime.INSTANCE.allocate(size));
                DeviceBuffer there = trial.allocate(size);
                source.memory().put(0, pattern(size, 2), 0, size);
                trial.runtime().copy(source, 0, there, 0, size);
                trial.runtime().copy(there, 0, back, 0, size);
                checkBytes(pattern(size, 2), Trial.content(back), size + " bytes");
            }
        });
        contract.add("bytes are copied from one buffer of the device to another, and within one", trial -> {
            DeviceBuffer first = trial.uploaded(pattern(1000, 1));
            DeviceBuffer second = trial.allocate(1000);
            trial.runtime().copy(first, 0, second, 0, 1000);
            checkBytes(pattern(1000, 1), trial.download(second), "the other buffer");
            trial.runtime().copy(second, 0, second, 500, 500);
            checkBytes(
                    Arrays.copyOf(pattern(1000, 1), 500),
                    Arrays.copyOfRange(trial.download(second), 500, 1000),
                    "the other half");
        });
        contract.add("offsets apply to source and target, and no other byte changes", trial -> {
            DeviceBuffer source = trial.staging(pattern(200, 1));
            DeviceBuffer target = trial.uploaded(new byte[200]);
            trial.runtime().copy(source, 3, target, 65, 7);
            byte[] expected = new byte[200];
            System.arraycopy(pattern(200, 1), 3, expected, 65, 7);
            checkBytes(expected, trial.download(target), "the target");
            DeviceBuffer back = trial.staging(200);
            trial.runtime().copy(target, 65, back, 190, 7);
            expected = new byte[200];
            System.arraycopy(pattern(200, 1), 3, expected, 190, 7);
            checkBytes(expected, Trial.content(back), "the copy back");
        });
        contract.add("slices are copied from their offset", trial -> {
            DeviceBuffer buffer = trial.uploaded(pattern(200, 4));
            checkBytes(
                    Arrays.copyOfRange(pattern(200, 4), 70, 170), trial.download(buffer.slice(70, 100)), "the slice");
        });
        contract.add("a copy of no bytes does nothing", trial -> {
            DeviceBuffer empty = trial.allocate(0);
            DeviceBuffer buffer = trial.allocate(64);
            trial.runtime().copy(empty, 0, buffer, 64, 0);
            trial.runtime().copy(buffer, 64, empty, 0, 0);
        });
        contract.add("ranges outside of a buffer are refused", trial -> {
            DeviceBuffer source = trial.staging(64);
            DeviceBuffer target = trial.allocate(64);
            long[][] ranges = {
                {-1, 0, 1},
                {0, -1, 1},
                {0, 0, -1},
                {0, 0, 65},
                {1, 0, 64},
                {0, 1, 64},
                {65, 0, 0},
                {0, 65, 0},
                {Long.MAX_VALUE, 0, 64},
                {0, Long.MAX_VALUE, 64},
                {64, 64, Long.MAX_VALUE},
                {0, 0, Long.MIN_VALUE}
            };
            for (long[] range : ranges) {
                checkThrows(
                        IndexOutOfBoundsException.class,
                        "a copy of " + Arrays.toString(range),
                        () -> trial.runtime().copy(source, range[0], target, range[1], range[2]));
            }
        });
        contract.add("a copy between two buffers of other devices is refused", trial -> {
            DeviceBuffer one = trial.isCpu() ? Trial.foreignBuffer(64) : trial.own(CpuRuntime.INSTANCE.allocate(64));
            DeviceBuffer two = trial.isCpu() ? Trial.foreignBuffer(64) : trial.own(CpuRuntime.INSTANCE.allocate(64));
            checkThrows(
                    IllegalArgumentException.class,
                    "copy",
                    () -> trial.runtime().copy(one, 0, two, 0, 64));
        });
        contract.add("a copy from or to memory that the device can't reach is refused", trial -> {
            DeviceBuffer own = trial.allocate(64);
            DeviceBuffer strange = Trial.foreignBuffer(64);
            checkThrows(
                    IllegalArgumentException.class,
                    "copy",
                    () -> trial.runtime().copy(own, 0, strange, 0, 64));
            checkThrows(
                    IllegalArgumentException.class,
                    "copy",
                    () -> trial.runtime().copy(strange, 0, own, 0, 64));
        });
        contract.add("a queue of another device is refused by every method that takes one", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceBuffer one = trial.allocate(64);
            DeviceBuffer two = trial.allocate(64);
            DeviceQueue strange = new ForeignQueue();
            Class<IllegalArgumentException> refused = IllegalArgumentException.class;
            checkThrows(refused, "copyAsync", () -> runtime.copyAsync(one, 0, two, 0, 64, strange));
            checkThrows(refused, "allocateAsync", () -> runtime.allocateAsync(64, strange));
            checkThrows(refused, "record", () -> runtime.record(strange));
            checkThrows(refused, "waitFor", () -> runtime.waitFor(strange, trial.record(runtime.getDefaultQueue())));
        });
        contract.add("copies of one queue are done in order", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceQueue queue = trial.queue();
            DeviceBuffer first = trial.staging(pattern(100_000, 1));
            DeviceBuffer second = trial.staging(pattern(100_000, 2));
            DeviceBuffer target = trial.allocate(100_000);
            DeviceBuffer further = trial.allocate(100_000);
            DeviceBuffer back = trial.staging(100_000);
            runtime.copyAsync(first, 0, target, 0, 100_000, queue);
            runtime.copyAsync(second, 0, target, 0, 100_000, queue);
            runtime.copyAsync(target, 0, further, 0, 100_000, queue);
            runtime.copyAsync(first, 0, target, 0, 100_000, queue);
            runtime.copyAsync(further, 0, back, 0, 100_000, queue);
            queue.synchronize();
            checkBytes(pattern(100_000, 2), Trial.content(back), "the copy back");
            checkBytes(pattern(100_000, 1), trial.download(target), "the target");
        });
        contract.add(
                "copyAsync returns before the copy is done", Set.of(Ability.PAUSE, Ability.QUEUED_COPIES), trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer source = trial.uploaded(pattern(64, 1));
                    DeviceBuffer there = trial.allocate(64);
                    DeviceBuffer upload = trial.staging(pattern(64, 2));
                    DeviceBuffer back = trial.staging(64);
                    Runnable resume = trial.pause(queue);
                    runtime.copyAsync(upload, 0, there, 0, 64, queue);
                    runtime.copyAsync(source, 0, there, 0, 32, queue);
                    runtime.copyAsync(there, 0, back, 0, 64, queue);
                    checkBytes(new byte[64], Trial.content(back), "the target of a copy on a paused queue");
                    resume.run();
                    queue.synchronize();
                    byte[] expected = pattern(64, 2);
                    System.arraycopy(pattern(64, 1), 0, expected, 0, 32);
                    checkBytes(expected, Trial.content(back), "the copy back");
                });
    }
}
