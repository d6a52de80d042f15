package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;

import dev.arrowdevice.Device;
import dev.arrowdevice.spi.AddressRange;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.NativeMemory;
import java.util.Objects;
import java.util.Set;

/** Which device an address belongs to. */
final class AddressCases {
    private static final int SIZE = 1000;

    private AddressCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("deviceOf: any address of the device's memory is the device's", trial -> {
            checkOwner(trial.runtime(), trial.allocate(SIZE));
            DeviceQueue queue = trial.queue();
            checkOwner(trial.runtime(), trial.own(trial.runtime().allocateAsync(SIZE, queue)));
        });
        contract.add(
                "deviceOf: staging memory is of the device that its buffer says",
                Set.of(Ability.ADDRESSES),
                trial -> checkOwner(trial.runtime(), trial.staging(SIZE)));
        contract.add(
                "deviceOf: memory of another device is that one's",
                Set.of(Ability.ADDRESSES, Ability.SECOND_DEVICE),
                trial -> {
                    DeviceRuntime second = trial.subject().second();
                    checkOwner(trial.runtime(), trial.own(second.allocate(SIZE)));
                    checkOwner(second, trial.allocate(SIZE));
                });
        contract.add("deviceOf: ordinary memory of the host is no device's", Set.of(Ability.ADDRESSES), trial -> {
            long address = NativeMemory.allocate(SIZE);
            trial.atEnd(() -> NativeMemory.free(address));
            // More than once: what the driver makes of it may not come up in a later call.
            for (int i = 0; i < 2; i++) {
                Device owner = trial.runtime().deviceOf(address);
                check(trial.isCpu() ? Device.CPU.equals(owner) : owner == null, "it is said to be of " + owner);
            }
            checkOwner(trial.runtime(), trial.uploaded(new byte[SIZE]));
        });
        contract.add("allocationOf: where it is known it holds a whole buffer, and no byte of another one", trial -> {
            checkAllocation(trial.runtime(), trial.allocate(SIZE), trial.allocate(SIZE));
            checkAllocation(trial.runtime(), trial.staging(SIZE), trial.staging(SIZE));
            DeviceQueue queue = trial.queue();
            checkAllocation(
                    trial.runtime(),
                    trial.own(trial.runtime().allocateAsync(SIZE, queue)),
                    trial.own(trial.runtime().allocateAsync(SIZE, queue)));
        });
        contract.add("allocationOf: ordinary memory of the host is in none", trial -> {
            long address = NativeMemory.allocate(SIZE);
            trial.atEnd(() -> NativeMemory.free(address));
            AddressRange found = trial.runtime().allocationOf(address);
            check(found == null, "it is said to be in " + found);
            checkOwner(trial.runtime(), trial.uploaded(new byte[SIZE]));
        });
    }

    private static void checkAllocation(DeviceRuntime runtime, DeviceBuffer buffer, DeviceBuffer other) {
        AddressRange whole = runtime.allocationOf(buffer.getAddress());
        for (int offset : new int[] {0, 1, SIZE - 1}) {
            AddressRange found = runtime.allocationOf(buffer.getAddress() + offset);
            check(Objects.equals(whole, found), "byte " + offset + " is said to be in " + found + ", not in " + whole);
            check(
                    whole == null || whole.contains(buffer.getAddress() + offset),
                    "byte " + offset + " is not in " + whole);
        }
        check(
                whole == null || !whole.contains(other.getAddress()),
                "the next buffer's memory is said to be in " + whole);
    }

    private static void checkOwner(DeviceRuntime runtime, DeviceBuffer buffer) {
        for (int offset : new int[] {0, 1, SIZE - 1}) {
            Device owner = runtime.deviceOf(buffer.getAddress() + offset);
            check(
                    buffer.getDevice().equals(owner),
                    "byte " + offset + " of memory of " + buffer.getDevice() + " is said to be of " + owner);
        }
    }
}
