package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.ArraySamples.checkValues;
import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CDeviceArrayStreamStruct;
import dev.arrowdevice.CDeviceArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.NativeMemory;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** What consumers get, and what happens when they release it. */
final class ArrayExportCases {
    /** Offsets in {@code struct ArrowDeviceArray}. */
    private static final long DEVICE_ID = 80;

    private static final long DEVICE_TYPE = 88;
    private static final long NULL_COUNT = 8;
    private static final long SYNC_EVENT = 96;

    private static final Set<Ability> QUEUED = Set.of(Ability.PAUSE, Ability.QUEUED_COPIES);

    private ArrayExportCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("an export has the array's device and its pending event", QUEUED, trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray values = ArraySamples.deep().build();
                    CDeviceArrayStruct struct = CStruct.deviceArray()) {
                QueuedArray prepared = QueuedArray.prepare(trial, values);
                Runnable resume = trial.pause(queue);
                DeviceArray there = prepared.fill(queue);
                long syncEvent = Objects.requireNonNull(there.getReadyEvent()).getSyncEvent();
                ArrowExport.exportDeviceArray(there, struct);
                checkPlace(trial, struct);
                checkEqual(syncEvent, NativeMemory.getLong(struct.getAddress() + SYNC_EVENT), "sync_event");
                DeviceEvent event = trial.runtime().importEvent(syncEvent);
                check(!event.isComplete(), "the event is complete on a paused queue");
                resume.run();
                event.await();
            }
        });
        contract.add("values that are complete are exported without an event and with their null counts", trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray values = ArraySamples.deep().build();
                    CDeviceArrayStruct struct = CStruct.deviceArray()) {
                DeviceArray there = values.copyToAsync(trial.runtime(), queue);
                there.await();
                try (DeviceArray slice = there.slice(2, 6)) {
                    there.close();
                    ArrowExport.exportDeviceArray(slice, struct);
                }
                checkPlace(trial, struct);
                checkEqual(0L, NativeMemory.getLong(struct.getAddress() + SYNC_EVENT), "sync_event");
                checkEqual(2L, NativeMemory.getLong(struct.getAddress() + NULL_COUNT), "null_count");
            }
        });
        contract.add("a stream produces arrays of the device, also with pending events", trial -> {
            DeviceQueue queue = trial.queue();
            ArraySamples sample = ArraySamples.deep();
            Field field = Field.nullable("", sample.type());
            try (DeviceArray values = sample.build();
                    CDeviceArrayStreamStruct struct = CStruct.deviceArrayStream()) {
                Iterator<DeviceArray> arrays = Stream.of(1, 2, 3)
                        .map(i -> values.copyToAsync(trial.runtime(), queue))
                        .iterator();
                ArrowExport.exportDeviceStream(
                        DeviceArrayStream.ofArrays(
                                field, trial.runtime().getDevice().type(), arrays, () -> {}),
                        struct);
                try (DeviceArrayStream stream = ArrowImport.importDeviceStream(struct)) {
                    checkEqual(trial.runtime().getDevice().type(), stream.getDeviceType(), "the stream's device type");
                    int count = 0;
                    for (DeviceArray array = stream.nextArray(); array != null; array = stream.nextArray()) {
                        try (DeviceArray taken = array) {
                            checkEqual(trial.runtime().getDevice(), taken.getDevice(), "the device");
                            checkValues(values, taken, "array " + count++);
                        }
                    }
                    checkEqual(3, count, "the arrays");
                }
            }
        });
        contract.add("an export that is not released is counted, and its memory stays until then", trial -> {
            ReleaseBalance.awaitDeferredReleases();
            ArrowCounters before = ArrowCounters.now();
            long out = ArrowCounters.now().unreleasedExports();
            try (CDeviceArrayStruct struct = CStruct.deviceArray()) {
                DeviceArray there = ArraySamples.longs(trial.runtime(), 100);
                there.await();
                ArrowExport.exportDeviceArray(there, struct);
                there.close();
                ReleaseBalance.awaitDeferredReleases();
                checkEqual(out + 1, ArrowCounters.now().unreleasedExports(), "the outstanding exports");
                if (!trial.isCpu()) {
                    check(ArrowCounters.now().deviceBuffers() > before.deviceBuffers(), "the memory was freed");
                }
            }
            ReleaseBalance.awaitDeferredReleases();
            checkEqual(out, ArrowCounters.now().unreleasedExports(), "the outstanding exports in the end");
            checkEqual(before.deviceBuffers(), ArrowCounters.now().deviceBuffers(), "the buffers in the end");
        });
        contract.add("memory that is released in a callback of the driver is freed", Set.of(Ability.PAUSE), trial -> {
            DeviceQueue queue = trial.queue();
            DeviceArray there = ArraySamples.longs(trial.runtime(), 100);
            DeviceArray second = ArraySamples.longs(trial.runtime(), 100);
            there.await();
            second.await();
            try (CDeviceArrayStruct struct = CStruct.deviceArray();
                    CSchemaStruct schema = CStruct.schema();
                    CDeviceArrayStruct other = CStruct.deviceArray()) {
                ArrowExport.exportDeviceArray(there, struct);
                ArrowExport.exportDeviceArray(second, other, schema);
                DeviceArray imported = ArrowImport.importDeviceArray(other, schema);
                ReleaseBalance.awaitDeferredReleases();
                ArrowCounters before = ArrowCounters.now();
                Runnable resume = trial.pause(queue);
                DeviceEvent event = trial.record(queue);
                CompletableFuture<Void> released = new CompletableFuture<>();
                event.whenComplete(() -> release(released, struct, imported));
                Trial.staysPending(released, "the callback");
                resume.run();
                Trial.result(released);
                ReleaseBalance.awaitDeferredReleases();
                checkEqual(before.deviceBuffers() - 2, ArrowCounters.now().deviceBuffers(), "the buffers in the end");
            }
        });
        contract.addOnDevice("an export of pending values has no null counts", QUEUED, trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray values = ArraySamples.deep().build();
                    CDeviceArrayStruct struct = CStruct.deviceArray()) {
                QueuedArray prepared = QueuedArray.prepare(trial, values);
                Runnable resume = trial.pause(queue);
                ArrowExport.exportDeviceArray(prepared.fill(queue), struct);
                checkEqual(-1L, NativeMemory.getLong(struct.getAddress() + NULL_COUNT), "null_count");
                resume.run();
                queue.synchronize();
            }
        });
    }

    private static void release(CompletableFuture<Void> released, AutoCloseable... held) {
        try {
            for (AutoCloseable one : held) {
                one.close();
            }
            released.complete(null);
        } catch (Throwable e) {
            released.completeExceptionally(e);
        }
    }

    private static void checkPlace(Trial trial, CStruct struct) {
        checkEqual(
                trial.runtime().getDevice().type(),
                NativeMemory.getInt(struct.getAddress() + DEVICE_TYPE),
                "device_type");
        checkEqual(
                trial.runtime().getDevice().id(), NativeMemory.getLong(struct.getAddress() + DEVICE_ID), "device_id");
    }
}
