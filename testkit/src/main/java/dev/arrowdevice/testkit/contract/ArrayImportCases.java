package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.ArraySamples.checkValues;
import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CDeviceArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Arrays imported from a C struct. Their event is awaited before they are read, and they are released after the last
 * read.
 */
final class ArrayImportCases {
    private static final Set<Ability> QUEUED = Set.of(Ability.PAUSE, Ability.QUEUED_COPIES);

    private ArrayImportCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("arrays of every type are the same after export and import", trial -> {
            DeviceQueue queue = trial.queue();
            for (ArraySamples sample : ArraySamples.all()) {
                try (DeviceArray values = sample.build();
                        DeviceArray array = through(values.copyToAsync(trial.runtime(), queue));
                        DeviceArray again = array.copyTo(trial.runtime());
                        DeviceArray slice = array.slice(5, 8);
                        DeviceArray expected = values.slice(5, 8)) {
                    checkEqual(trial.runtime().getDevice(), array.getDevice(), "the device");
                    checkValues(values, array, "what came");
                    checkValues(values, again, "its copy on the device");
                    checkValues(expected, slice, "its slice");
                }
            }
        });
        contract.addOnDevice("an import does not wait, and a copy to the host waits for the event", QUEUED, trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray values = ArraySamples.deep().build()) {
                QueuedArray prepared = QueuedArray.prepare(trial, values);
                Runnable resume = trial.pause(queue);
                DeviceArray array = through(prepared.fill(queue));
                trial.atEnd(array::close);
                check(!ArrayReleaseCases.isReady(array), "it is reported as ready");
                CompletableFuture<DeviceArray> copying = trial.async(() -> array.copyTo(Device.CPU));
                Trial.staysPending(copying, "the copy");
                resume.run();
                try (DeviceArray copy = Trial.result(copying)) {
                    check(copy.valuesEqual(values), "the copy is " + copy + " and should be " + values);
                }
            }
        });
        contract.addOnDevice(
                "a copy on the device waits for the event of an import, and the host does not", QUEUED, trial -> {
                    DeviceQueue producer = trial.queue();
                    DeviceQueue consumer = trial.queue();
                    try (DeviceArray values = ArraySamples.longs(CpuRuntime.INSTANCE, 100)) {
                        QueuedArray prepared = QueuedArray.prepare(trial, values);
                        long out = ArrowCounters.now().unreleasedExports();
                        Runnable resume = trial.pause(producer);
                        DeviceArray array = through(prepared.fill(producer));
                        trial.atEnd(array::close);
                        DeviceArray copy = array.copyToAsync(trial.runtime(), consumer);
                        trial.atEnd(copy::close);
                        DeviceEvent ready = Objects.requireNonNull(copy.getReadyEvent());
                        array.close();
                        CompletableFuture<Void> waited = trial.async(ready::await);
                        Trial.staysPending(waited, "the copy");
                        checkEqual(out + 1, ArrowCounters.now().unreleasedExports(), "the outstanding exports");
                        resume.run();
                        Trial.result(waited);
                        checkValues(values, copy, "the copy");
                        ReleaseBalance.awaitDeferredReleases();
                        checkEqual(out, ArrowCounters.now().unreleasedExports(), "the outstanding exports in the end");
                    }
                });
        contract.add("host and queues read from an import what was written before its event", QUEUED, trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray values = ArraySamples.deep().build()) {
                QueuedArray prepared = QueuedArray.prepare(trial, values);
                Runnable resume = trial.pause(queue);
                DeviceArray there = prepared.fill(queue);
                CompletableFuture<DeviceArray> reading = trial.async(() -> {
                    try (DeviceArray array = through(there)) {
                        return array.copyTo(Device.CPU);
                    }
                });
                Trial.staysPending(reading, "import and copy");
                resume.run();
                try (DeviceArray copy = Trial.result(reading)) {
                    check(copy.valuesEqual(values), "the copy is " + copy + " and should be " + values);
                }
            }
        });
    }

    /** Exports an array, which is moved, and imports it again. */
    static DeviceArray through(DeviceArray array) {
        try (CDeviceArrayStruct struct = CStruct.deviceArray();
                CSchemaStruct schema = CStruct.schema();
                array) {
            ArrowExport.exportDeviceArray(array, struct, schema);
            return ArrowImport.importDeviceArray(struct, schema);
        }
    }
}
