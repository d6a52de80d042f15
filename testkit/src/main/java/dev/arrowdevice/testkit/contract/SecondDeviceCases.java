package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkBytes;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;
import static dev.arrowdevice.testkit.contract.Trial.pattern;

import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.List;
import java.util.Set;

/** Two devices of one kind. */
final class SecondDeviceCases {
    private static final Set<Ability> SECOND = Set.of(Ability.SECOND_DEVICE);
    private static final Set<Ability> SECOND_AND_PAUSE = Set.of(Ability.SECOND_DEVICE, Ability.PAUSE);

    private SecondDeviceCases() {}

    static void addTo(DeviceContract contract) {
        contract.add(
                "a copy between two devices works if they can access each other, else it throws", SECOND, trial -> {
                    DeviceRuntime first = trial.runtime();
                    DeviceRuntime second = trial.subject().second();
                    DeviceBuffer here = trial.uploaded(pattern(1000, 1));
                    DeviceBuffer there = trial.own(second.allocate(1000));
                    if (!first.canAccess(second.getDevice())) {
                        Class<IllegalArgumentException> refused = IllegalArgumentException.class;
                        checkThrows(refused, "copy there", () -> first.copy(here, 0, there, 0, 1000));
                        checkThrows(refused, "copy from there", () -> first.copy(there, 0, here, 0, 1000));
                        return;
                    }
                    DeviceBuffer back = trial.allocate(1000);
                    first.copy(here, 0, there, 0, 1000);
                    first.copy(there, 0, back, 0, 1000);
                    checkBytes(pattern(1000, 1), trial.download(back), "the copy back");
                });
        contract.add("memory in the order of a queue is copied to the other device and back", SECOND, trial -> {
            DeviceRuntime first = trial.runtime();
            DeviceRuntime second = trial.subject().second();
            if (!first.canAccess(second.getDevice()) || !second.canAccess(first.getDevice())) {
                return;
            }
            DeviceQueue here = trial.queue();
            DeviceQueue there = trial.queue(second);
            DeviceBuffer source = trial.own(first.allocateAsync(1000, here));
            DeviceBuffer target = trial.own(second.allocateAsync(1000, there));
            here.synchronize();
            there.synchronize();
            first.copy(trial.staging(pattern(1000, 1)), 0, source, 0, 1000);
            first.copy(source, 0, target, 0, 1000);
            first.copy(trial.staging(1000), 0, source, 0, 1000);
            second.copy(target, 0, source, 0, 1000);
            checkBytes(pattern(1000, 1), trial.download(source), "the copy back");
        });
        contract.add("a queue of the other device is refused", SECOND, trial -> {
            DeviceQueue queue = trial.queue(trial.subject().second());
            checkThrows(
                    IllegalArgumentException.class,
                    "record",
                    () -> trial.runtime().record(queue));
        });
        contract.add("a queue waits for an event of the other device", SECOND_AND_PAUSE, trial -> {
            DeviceRuntime second = trial.subject().second();
            DeviceQueue here = trial.queue();
            DeviceQueue there = trial.queue(second);
            Runnable resume = trial.pause(here);
            DeviceEvent event = trial.record(here);
            second.waitFor(there, event);
            DeviceEvent done = trial.own(second.record(there));
            check(!done.isComplete(), "it does not wait");
            event.close();
            resume.run();
            done.await();
        });
        contract.add("join takes events of both devices", SECOND_AND_PAUSE, trial -> {
            DeviceRuntime second = trial.subject().second();
            DeviceQueue here = trial.queue();
            DeviceQueue there = trial.queue(second);
            Runnable resume = trial.pause(here);
            DeviceEvent one = trial.record(here);
            DeviceEvent two = trial.own(second.record(there));
            DeviceEvent joined = trial.own(second.join(List.of(one, two)));
            check(!joined.isComplete(), "complete while one queue is paused");
            resume.run();
            joined.await();
        });
    }
}
