package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.ArraySamples.checkValues;
import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;

import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceException;
import dev.arrowdevice.OutOfDeviceMemoryException;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.Diagnostics;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Failures in the middle of a copy throw, release everything, and leave the source as it was. */
final class ArrayFaultCases {
    private static final Set<Ability> FAULTS = Set.of(Ability.FAULTS);
    private static final Set<Ability> FAULTS_AND_PAUSE = Set.of(Ability.FAULTS, Ability.PAUSE, Ability.QUEUED_COPIES);
    private static final Set<Fault> WITHOUT_ROOM =
            EnumSet.of(Fault.ALLOCATE, Fault.ALLOCATE_ASYNC, Fault.ALLOCATE_STAGING);
    private static final Set<Fault> CALLS = EnumSet.complementOf(EnumSet.of(Fault.COPY, Fault.LOST));

    private ArrayFaultCases() {}

    static void addTo(DeviceContract contract) {
        eachStep(
                contract,
                "to the device",
                trial -> ArraySamples.deep().build(),
                (trial, source, queue) -> source.copyTo(trial.runtime()));
        eachStep(
                contract,
                "to the device on a queue",
                trial -> ArraySamples.deep().build(),
                (trial, source, queue) -> source.copyToAsync(trial.runtime(), queue));
        eachStepOnDevice(
                contract, "to the host", ArrayFaultCases::there, (trial, source, queue) -> source.copyTo(Device.CPU));
        eachStepOnDevice(
                contract,
                "to the host on a queue",
                ArrayFaultCases::there,
                (trial, source, queue) -> source.copyToAsync(Device.CPU, queue));
        eachStepOnDevice(
                contract,
                "of an import to the host",
                ArrayFaultCases::imported,
                (trial, source, queue) -> source.copyTo(Device.CPU));
        eachStepOnDevice(
                contract,
                "of an import on the device",
                ArrayFaultCases::imported,
                (trial, source, queue) -> source.copyToAsync(trial.runtime(), queue));
        eachStep(
                contract,
                "by a builder",
                trial -> ArraySamples.deep().build(),
                (trial, source, queue) -> ArraySamples.deep().build(trial.runtime()));
        contract.addOnDevice(
                "a copy that fails is reported by the array's event, and to those who copy it",
                FAULTS_AND_PAUSE,
                trial -> {
                    quietly(trial);
                    DeviceQueue queue = trial.queue();
                    try (DeviceArray source = there(trial)) {
                        Runnable resume = trial.pause(queue);
                        trial.subject().failNext(Fault.COPY);
                        DeviceArray copy = source.copyToAsync(trial.runtime(), queue);
                        trial.atEnd(copy::close);
                        resume.run();
                        checkThrows(DeviceException.class, "await", copy::await);
                        copy.close();
                        ReleaseBalance.awaitDeferredReleases();
                        check(source.isLive(), "the source is not live");
                    }
                });
        contract.addOnDevice(
                "a copy that fails keeps its memory until what it has queued is over, although record and synchronize "
                        + "are refused",
                FAULTS_AND_PAUSE,
                trial -> {
                    quietly(trial);
                    DeviceQueue queue = trial.queue();
                    DeviceArray source = ArrayReleaseCases.pinned(trial, queue);
                    trial.atEnd(source::close);
                    Runnable resume = trial.pause(queue);
                    trial.subject().failNext(Fault.RECORD, 1);
                    trial.subject().failNext(Fault.RECORD, 0);
                    trial.subject().failNext(Fault.SYNCHRONIZE);
                    checkThrows(DeviceException.class, "copyToAsync", () -> source.copyToAsync(trial.runtime(), queue));
                    source.close();
                    Trial.staysPending(trial.async(ReleaseBalance::awaitDeferredReleases), "the release");
                    resume.run();
                    ReleaseBalance.awaitDeferredReleases();
                    trial.subject().forgetFailures();
                    queue.synchronize(); // Throws if a copy accessed memory that had been freed.
                });
        contract.addOnDevice(
                "everything is released if the device is lost while copies are pending", FAULTS_AND_PAUSE, trial -> {
                    quietly(trial);
                    DeviceQueue queue = trial.queue();
                    try (DeviceArray source = ArraySamples.deep().build()) {
                        DeviceArray there = source.copyTo(trial.runtime());
                        DeviceArray imported = imported(trial);
                        imported.await();
                        ReleaseBalance.awaitDeferredReleases();
                        Runnable resume = trial.pause(queue);
                        List<DeviceArray> pending = List.of(
                                there.copyToAsync(trial.runtime(), queue), there.copyToAsync(trial.runtime(), queue));
                        there.close();
                        trial.subject().failNext(Fault.LOST);
                        resume.run();
                        for (DeviceArray array : pending) {
                            checkThrows(DeviceException.class, "await", array::await);
                        }
                        checkThrows(DeviceException.class, "copyTo", () -> source.copyTo(trial.runtime()));
                        checkThrows(DeviceException.class, "copyTo of an import", () -> imported.copyTo(Device.CPU));
                        pending.forEach(DeviceArray::close);
                        imported.close();
                        ReleaseBalance.awaitDeferredReleases();
                        check(source.isLive(), "the source is not live");
                    }
                });
    }

    private interface Copy {
        DeviceArray of(Trial trial, DeviceArray source, DeviceQueue queue);
    }

    private static void eachStep(
            DeviceContract contract, String name, Function<Trial, DeviceArray> sources, Copy copy) {
        contract.add("a nested copy " + name + " fails at each step", FAULTS, body(sources, copy));
    }

    private static void eachStepOnDevice(
            DeviceContract contract, String name, Function<Trial, DeviceArray> sources, Copy copy) {
        contract.addOnDevice("a nested copy " + name + " fails at each step", FAULTS, body(sources, copy));
    }

    private static DeviceContract.Body body(Function<Trial, DeviceArray> sources, Copy copy) {
        return trial -> {
            quietly(trial);
            DeviceQueue queue = trial.queue();
            int withoutRoom = 0;
            try (DeviceArray source = sources.apply(trial);
                    DeviceArray expected = ArraySamples.deep().build()) {
                source.await();
                ReleaseBalance.awaitDeferredReleases();
                for (Fault fault : CALLS) {
                    int step = 0;
                    while (!succeeds(trial, source, queue, copy, fault, step)) {
                        step++;
                    }
                    withoutRoom += WITHOUT_ROOM.contains(fault) ? step : 0;
                }
                check(withoutRoom > 0, "it needs no memory");
                check(source.isLive(), "the source is not live");
                checkValues(expected, source, "the source");
            }
        };
    }

    /** False if there was a failure. If there was none, the copy has no more such steps. */
    private static boolean succeeds(
            Trial trial, DeviceArray source, DeviceQueue queue, Copy copy, Fault fault, int step) {
        ReleaseBalance balance = ReleaseBalance.start();
        boolean done = true;
        trial.subject().failNext(fault, step);
        try (DeviceArray made = copy.of(trial, source, queue)) {
            made.await();
        } catch (DeviceException e) {
            done = false;
            check(
                    e instanceof OutOfDeviceMemoryException || !WITHOUT_ROOM.contains(fault),
                    fault + " at step " + step + " threw " + e);
        }
        ReleaseBalance.awaitDeferredReleases();
        trial.subject().forgetFailures();
        queue.synchronize();
        List<String> unbalanced = balance.unbalanced();
        check(unbalanced.isEmpty(), fault + " at step " + step + ": " + unbalanced);
        return done;
    }

    /** Ignores failures of releases, which these cases cause, until the case ends. */
    private static void quietly(Trial trial) {
        Consumer<DeviceException> before = Diagnostics.onLateFailure(failure -> {});
        trial.atEnd(() -> Diagnostics.onLateFailure(before));
    }

    private static DeviceArray there(Trial trial) {
        try (DeviceArray here = ArraySamples.deep().build(CpuRuntime.INSTANCE)) {
            return here.copyTo(trial.runtime());
        }
    }

    private static DeviceArray imported(Trial trial) {
        return ArrayImportCases.through(there(trial));
    }
}
