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

/** The device that an address belongs to. */
final class AddressCases {
    private static final int SIZE = 1000;

    private AddressCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("deviceOf: any address of the device's memory belongs to the device", trial -> {
            checkOwner(trial.runtime(), trial.allocate(SIZE));
            DeviceQueue queue = trial.queue();
            checkOwner(trial.runtime(), trial.own(trial.runtime().allocateAsync(SIZE, queue)));
        });
        contract.add(
                "deviceOf: staging memory belongs to its buffer's device",
                Set.of(Ability.ADDRESSES),
                trial -> checkOwner(trial.runtime(), trial.staging(SIZE)));
        contract.add(
                "deviceOf: memory of another device belongs to that device",
                Set.of(Ability.ADDRESSES, Ability.SECOND_DEVICE),
                trial -> {
                    DeviceRuntime second = trial.subject().second();
                    checkOwner(trial.runtime(), trial.own(second.allocate(SIZE)));
                    checkOwner(second, trial.allocate(SIZE));
                });
        contract.add("deviceOf: ordinary memory of the host belongs to no device", Set.of(Ability.ADDRESSES), trial -> {
            long address = NativeMemory.allocate(SIZE);
            trial.atEnd(() -> NativeMemory.free(address));
            // Twice, because an error in the driver could come up in a later call.
            for (int i = 0; i < 2; i++) {
                Device owner = trial.runtime().deviceOf(address);
                check(trial.isCpu() ? Device.CPU.equals(owner) : owner == null, "it is reported to belong to " + owner);
            }
            checkOwner(trial.runtime(), trial.uploaded(new byte[SIZE]));
        });
        contract.add("allocationOf: a known allocation contains a whole buffer, and no byte of another one", trial -> {
            checkAllocation(trial.runtime(), trial.allocate(SIZE), trial.allocate(SIZE));
            checkAllocation(trial.runtime(), trial.staging(SIZE), trial.staging(SIZE));
            DeviceQueue queue = trial.queue();
            checkAllocation(
                    trial.runtime(),
                    trial.own(trial.runtime().allocateAsync(SIZE, queue)),
                    trial.own(trial.runtime().allocateAsync(SIZE, queue)));
        });
        contract.add("allocationOf: ordinary memory of the host is in no allocation", trial -> {
            long address = NativeMemory.allocate(SIZE);
            trial.atEnd(() -> NativeMemory.free(address));
            AddressRange found = trial.runtime().allocationOf(address);
            check(found == null, "it is reported to be in " + found);
            checkOwner(trial.runtime(), trial.uploaded(new byte[SIZE]));
        });
    }

    private static void checkAllocation(DeviceRuntime runtime, DeviceBuffer buffer, DeviceBuffer other) {
        AddressRange whole = runtime.allocationOf(buffer.getAddress());
        for (int offset : new int[] {0, 1, SIZE - 1}) {
            AddressRange found = runtime.allocationOf(buffer.getAddress() + offset);
            check(
                    Objects.equals(whole, found),
                    "byte " + offset + " is reported to be in " + found + ", not in " + whole);
            check(
                    whole == null || whole.contains(buffer.getAddress() + offset),
                    "byte " + offset + " is not in " + whole);
        }
        check(
                whole == null || !whole.contains(other.getAddress()),
                "the next buffer's memory is reported to be in " + whole);
    }

    private static void checkOwner(DeviceRuntime runtime, DeviceBuffer buffer) {
        for (int offset : new int[] {0, 1, SIZE - 1}) {
            Device owner = runtime.deviceOf(buffer.getAddress() + offset);
            check(
                    buffer.getDevice().equals(owner),
                    "byte " + offset + " of memory of " + buffer.getDevice() + " is reported to belong to " + owner);
        }
    }
}
