package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.DeviceException;
import dev.arrowdevice.UnreadableDeviceException;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.MemoryInfo;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** The properties of the runtime and its device, and allocations. */
final class MemoryCases {
    private static final long[] SIZES = {0, 1, 63, 64, 65, 1000, 1 << 20};
    private static final long TOO_LARGE = 1L << 50;

    private MemoryCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("Devices finds the runtime by its device, and it has a description", trial -> {
            DeviceRuntime runtime = trial.runtime();
            checkEqual(runtime.getDevice(), runtime.getDevice(), "the device");
            check(!runtime.getDescription().isBlank(), "the description is blank");
            check(Devices.find(runtime.getDevice()) == runtime, "the runtime is not registered");
            check(Devices.list().contains(runtime.getDevice()), "the device is not listed");
        });
        contract.add("isHostReadable says whether the host can read memory at its address", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceBuffer buffer = trial.allocate(8);
            checkEqual(runtime.isHostReadable(), Devices.isHostReadable(runtime.getDevice()), "what Devices says");
            boolean readable = runtime.allocatesHostReadable();
            checkEqual(readable, buffer.isHostReadable(), "isHostReadable of the buffer");
            long last = buffer.getAddress() + 7;
            checkEqual(readable, runtime.isHostReadable(last), "isHostReadable of the runtime");
            checkEqual(readable, Devices.isHostReadable(runtime.getDevice(), last), "isHostReadable of Devices");
            if (readable) {
                buffer.memory().putLong(0, 4711);
                checkEqual(buffer.getAddress(), buffer.memory().getAddress(), "the address of the memory");
                checkEqual(
                        4711L,
                        trial.own(runtimeCopy(trial, buffer)).memory().getLong(0),
                        "the number that was written");
            } else {
                UnreadableDeviceException e = checkThrows(UnreadableDeviceException.class, "memory()", buffer::memory);
                checkEqual(runtime.getDevice(), e.getDevice(), "the exception's device");
            }
        });
        contract.add("the device can access itself and the CPU, and not an unknown device", trial -> {
            DeviceRuntime runtime = trial.runtime();
            check(runtime.canAccess(runtime.getDevice()), "it can't access itself");
            check(runtime.canAccess(dev.arrowdevice.Device.CPU), "it can't access the CPU");
            check(!runtime.canAccess(Trial.FOREIGN_DEVICE), "it can access an unknown device");
        });
        contract.add("memoryInfo is null, or its free memory is at most the total", trial -> {
            MemoryInfo info = trial.runtime().getMemoryInfo();
            check(
                    info == null || (info.free() >= 0 && info.free() <= info.total() && info.total() > 0),
                    "memoryInfo is " + info);
        });
        allocators(contract, "allocate", trial -> trial.runtime()::allocate);
        allocators(contract, "allocateStaging", trial -> trial.runtime()::allocateStaging);
        allocators(contract, "allocateAsync", trial -> {
            DeviceQueue queue = trial.queue();
            return size -> trial.runtime().allocateAsync(size, queue);
        });
        contract.add("a buffer can be used up to a multiple of 64 bytes", trial -> {
            DeviceBuffer small = trial.allocate(1);
            DeviceBuffer block =
                    DeviceBuffer.ofAddress(small.getDevice(), small.getAddress(), 64, ReferenceCounted.nothing());
            trial.runtime().copy(trial.staging(pattern(64, 1)), 0, block, 0, 64);
            checkBytes(pattern(64, 1), trial.download(block), "the block");
        });
        contract.add("the host reads and writes staging memory", trial -> {
            DeviceBuffer staging = trial.staging(pattern(100, 3));
            check(staging.isHostReadable(), "it is not host-readable");
            DeviceBuffer same = DeviceBuffer.ofAddress(
                    staging.getDevice(), staging.getAddress(), staging.getByteSize(), ReferenceCounted.nothing());
            check(same.isHostReadable(), "it is not host-readable by its address");
            checkBytes(pattern(100, 3), Trial.content(staging), "staging memory");
        });
        contract.add(
                "an allocation of more memory than there is leaves nothing behind", Set.of(Ability.OVERSIZE), trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    // Drivers have more than one code for it.
                    Class<? extends Throwable> expected =
                            trial.isCpu() ? OutOfMemoryError.class : DeviceException.class;
                    checkThrows(expected, "allocate", () -> runtime.allocate(TOO_LARGE));
                    trial.allocate(64);
                });
        contract.add("memory can be freed by any thread, once", trial -> {
            DeviceBuffer buffer = trial.runtime().allocate(64);
            buffer.getOwner().retain();
            Trial.result(trial.async(buffer.getOwner()::release));
            checkEqual(1, buffer.getOwner().getReferenceCount(), "the reference count");
            Trial.result(trial.async(buffer.getOwner()::release));
            checkThrows(IllegalStateException.class, "release of freed memory", buffer.getOwner()::release);
        });
        ordered(contract);
    }

    private static DeviceBuffer runtimeCopy(Trial trial, DeviceBuffer buffer) {
        DeviceBuffer copy = trial.runtime().allocateStaging(buffer.getByteSize());
        trial.runtime().copy(buffer, 0, copy, 0, buffer.getByteSize());
        return copy;
    }

    private static void allocators(
            DeviceContract contract,
            String name,
            java.util.function.Function<Trial, LongFunction<DeviceBuffer>> allocators) {
        contract.add(name + " returns aligned memory of the size, with one reference", trial -> {
            LongFunction<DeviceBuffer> allocator = allocators.apply(trial);
            for (long size : SIZES) {
                DeviceBuffer buffer = trial.own(allocator.apply(size));
                checkEqual(size, buffer.getByteSize(), "the size");
                check(
                        buffer.getAddress() != 0 && buffer.getAddress() % 64 == 0,
                        "the address is 0x" + Long.toHexString(buffer.getAddress()));
                checkEqual(1, buffer.getOwner().getReferenceCount(), "the reference count");
                if (!name.equals("allocateStaging")) {
                    checkEqual(trial.runtime().getDevice(), buffer.getDevice(), "the device");
                }
            }
        });
        contract.add(name + " refuses negative sizes", trial -> {
            LongFunction<DeviceBuffer> allocator = allocators.apply(trial);
            for (long size : new long[] {-1, -64, Long.MIN_VALUE}) {
                checkThrows(IllegalArgumentException.class, name + " of " + size, () -> allocator.apply(size));
            }
        });
        contract.add(name + " returns memory of its own, empty or not", trial -> {
            LongFunction<DeviceBuffer> allocator = allocators.apply(trial);
            DeviceBuffer empty = trial.own(allocator.apply(0));
            DeviceBuffer alsoEmpty = trial.own(allocator.apply(0));
            check(Math.abs(empty.getAddress() - alsoEmpty.getAddress()) >= 64, "two empty buffers share memory");
            DeviceBuffer first = trial.own(allocator.apply(100));
            DeviceBuffer second = trial.own(allocator.apply(100));
            check(Math.abs(first.getAddress() - second.getAddress()) >= 128, "two buffers overlap");
        });
    }

    private static void ordered(DeviceContract contract) {
        contract.add("memory allocated in a queue's order can be used there at once", trial -> {
            DeviceRuntime runtime = trial.runtime();
            DeviceQueue queue = trial.queue();
            DeviceBuffer source = trial.staging(pattern(5000, 5));
            DeviceBuffer back = trial.staging(5000);
            DeviceBuffer buffer = trial.own(runtime.allocateAsync(5000, queue));
            runtime.copyAsync(source, 0, buffer, 0, 5000, queue);
            runtime.copyAsync(buffer, 0, back, 0, 5000, queue);
            queue.synchronize();
            checkBytes(pattern(5000, 5), Trial.content(back), "the copy back");
        });
        contract.add(
                "memory allocated in a queue's order can be used by others after an event recorded there", trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = trial.queue();
                    DeviceQueue other = trial.queue();
                    DeviceBuffer source = trial.staging(pattern(500, 6));
                    DeviceBuffer back = trial.staging(500);
                    DeviceBuffer buffer = trial.own(runtime.allocateAsync(500, queue));
                    runtime.waitFor(other, trial.record(queue));
                    runtime.copyAsync(source, 0, buffer, 0, 500, other);
                    runtime.copyAsync(buffer, 0, back, 0, 500, other);
                    other.synchronize();
                    checkBytes(pattern(500, 6), Trial.content(back), "the copy back");
                });
        contract.add(
                "memory allocated in a queue's order is freed after work that was queued before",
                Set.of(Ability.PAUSE, Ability.QUEUED_COPIES),
                trial -> {
                    DeviceRuntime runtime = trial.runtime();
                    DeviceQueue queue = trial.queue();
                    DeviceBuffer source = trial.staging(pattern(5000, 7));
                    DeviceBuffer back = trial.staging(5000);
                    DeviceBuffer buffer = runtime.allocateAsync(5000, queue);
                    Runnable resume = trial.pause(queue);
                    runtime.copyAsync(source, 0, buffer, 0, 5000, queue);
                    runtime.copyAsync(buffer, 0, back, 0, 5000, queue);
                    CompletableFuture<Void> released = trial.async(buffer.getOwner()::release);
                    Trial.result(
                            released); // Releasing does not wait for the queue, even on a device without such memory.
                    check(!content(back)[1], "the copy was done on a paused queue");
                    resume.run();
                    queue.synchronize();
                    checkBytes(pattern(5000, 7), Trial.content(back), "the copy back");
                });
        contract.add("memory allocated in a queue's order outlives the queue", trial -> {
            DeviceQueue queue = trial.runtime().createQueue();
            DeviceBuffer buffer = trial.own(trial.runtime().allocateAsync(64, queue));
            queue.synchronize();
            queue.close();
            trial.runtime().copy(trial.staging(pattern(64, 8)), 0, buffer, 0, 64);
            checkBytes(pattern(64, 8), trial.download(buffer), "the memory");
        });
    }

    /** Whether each byte is set. */
    private static boolean[] content(DeviceBuffer buffer) {
        byte[] bytes = Trial.content(buffer);
        boolean[] set = new boolean[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            set[i] = bytes[i] != 0;
        }
        return set;
    }
}
