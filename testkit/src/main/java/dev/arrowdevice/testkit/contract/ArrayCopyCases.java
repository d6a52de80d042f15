package dev.arrowdevice.testkit.contract;

import static dev.arrowdevice.testkit.contract.ArraySamples.checkValues;
import static dev.arrowdevice.testkit.contract.Trial.check;
import static dev.arrowdevice.testkit.contract.Trial.checkEqual;
import static dev.arrowdevice.testkit.contract.Trial.checkThrows;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.UnreadableDeviceException;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.builder.RecordBatchBuilder;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceQueue;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Arrays are copied to the device and back, built there, and read only where the host can. */
final class ArrayCopyCases {
    private static final int MANY = 40_000;
    private static final long[][] SLICES = {{0, 19}, {7, 9}, {8, 1}, {18, 1}, {19, 0}, {4, 0}};

    private ArrayCopyCases() {}

    static void addTo(DeviceContract contract) {
        contract.add("arrays of every type are copied to the device and back", trial -> {
            for (ArraySamples sample : ArraySamples.all()) {
                try (DeviceArray here = sample.build();
                        DeviceArray there = here.copyTo(trial.runtime());
                        DeviceArray again = there.copyTo(trial.runtime())) {
                    checkEqual(trial.runtime().getDevice(), there.getDevice(), "the device");
                    checkValues(here, there, "the copy");
                    checkValues(here, again, "the copy of the copy");
                }
            }
        });
        contract.add("arrays of every type are copied to the device and back on a queue", trial -> {
            DeviceQueue queue = trial.queue();
            for (ArraySamples sample : ArraySamples.all()) {
                try (DeviceArray here = sample.build();
                        DeviceArray there = here.copyToAsync(trial.runtime(), queue);
                        DeviceArray again = there.copyToAsync(trial.runtime(), queue);
                        DeviceArray back = again.copyToAsync(Device.CPU, queue)) {
                    checkEqual(Device.CPU, back.getDevice(), "the device of the copy back");
                    checkValues(here, there, "the copy");
                    checkValues(here, back, "the copy back");
                }
            }
        });
        contract.add("arrays of every type are sliced before and after a copy to the device", trial -> {
            for (ArraySamples sample : ArraySamples.all()) {
                try (DeviceArray here = sample.build();
                        DeviceArray there = here.copyTo(trial.runtime())) {
                    for (long[] range : SLICES) {
                        try (DeviceArray expected = here.slice(range[0], range[1]);
                                DeviceArray before = expected.copyTo(trial.runtime());
                                DeviceArray after = there.slice(range[0], range[1]);
                                DeviceArray again = after.copyTo(trial.runtime())) {
                            checkValues(expected, before, "cut before");
                            checkValues(expected, after, "cut after");
                            checkValues(expected, again, "cut between");
                        }
                    }
                }
            }
        });
        contract.add("empty arrays of every type are copied to the device and back", trial -> {
            for (ArraySamples sample : ArraySamples.all()) {
                try (DeviceArray here = sample.buildEmpty(CpuRuntime.INSTANCE);
                        DeviceArray there = here.copyTo(trial.runtime());
                        DeviceArray built = sample.buildEmpty(trial.runtime())) {
                    checkValues(here, there, "the copy");
                    checkValues(here, built, "the array built on the device");
                }
            }
        });
        contract.add("arrays of every type are built on the device", trial -> {
            for (ArraySamples sample : ArraySamples.all()) {
                try (DeviceArray here = sample.build();
                        DeviceArray built = sample.build(trial.runtime())) {
                    checkEqual(trial.runtime().getDevice(), built.getDevice(), "the device");
                    checkValues(here, built, "the array built on the device");
                }
            }
        });
        contract.add("a builder is ready for the next array while the last one is being transferred", trial -> {
            Field field = Field.nullable("", ArrowType.UTF8);
            try (ArrayBuilder builder = ArrayBuilder.of(field, trial.runtime(), UnaryOperator.identity())) {
                builder.append("first");
                try (DeviceArray first = builder.finish()) {
                    builder.append("second");
                    try (DeviceArray second = builder.finish();
                            DeviceArray one = first.copyTo(Device.CPU);
                            DeviceArray two = second.copyTo(Device.CPU)) {
                        checkEqual("first", one.getString(0), "the first array's value");
                        checkEqual("second", two.getString(0), "the second array's value");
                    }
                }
            }
        });
        contract.add("a batch is built on the device and copied back", trial -> {
            Schema schema = Schema.of(Field.notNull("id", ArrowType.INT64), Field.nullable("name", ArrowType.UTF8));
            try (RecordBatchBuilder builder =
                    RecordBatchBuilder.of(schema, trial.runtime(), UnaryOperator.identity())) {
                builder.appendRow(1L, "Ada");
                builder.appendRow(2L, null);
                try (RecordBatch there = builder.finish();
                        RecordBatch back = there.copyTo(Device.CPU)) {
                    checkEqual(trial.runtime().getDevice(), there.getDevice(), "the device");
                    checkEqual(2L, back.getRowCount(), "the rows");
                    checkEqual("Ada", back.column("name").getString(0), "the name");
                    check(back.column("name").isNull(1), "the null has got a value");
                }
            }
        });
        contract.add("large buffers are copied to the device and back, also from and to pinned memory", trial -> {
            DeviceQueue queue = trial.queue();
            try (DeviceArray here = ArraySamples.longs(CpuRuntime.INSTANCE, MANY);
                    DeviceArray built = ArraySamples.longs(trial.runtime(), MANY);
                    DeviceArray pinned = built.copyToAsync(Device.CPU, queue);
                    DeviceArray there = pinned.copyToAsync(trial.runtime(), queue);
                    DeviceArray slice = there.slice(3, MANY - 5);
                    DeviceArray expected = here.slice(3, MANY - 5)) {
                checkValues(here, built, "the array built on the device");
                checkValues(here, pinned, "the pinned copy");
                checkValues(expected, slice, "the slice");
            }
        });
        contract.addOnDevice(
                "a read by the host throws, and the message names the device and the copy to make", Set.of(), trial -> {
                    try (DeviceArray there = ArraySamples.longs(trial.runtime(), 3)) {
                        there.await();
                        refused(trial, "getLong", () -> there.getLong(0));
                        refused(trial, "borrow", () -> there.borrow(reader -> 0));
                        refused(trial, "toLongArray", () -> there.toLongArray());
                        check(there.toString().contains("copyTo(Device.CPU)"), "toString: " + there);
                    }
                });
    }

    private static void refused(Trial trial, String call, Runnable read) {
        UnreadableDeviceException e = checkThrows(UnreadableDeviceException.class, call, read);
        String text = String.valueOf(e.getMessage());
        check(text.contains(trial.runtime().getDevice().toString()), call + " does not name the device: " + text);
        check(text.contains("copyTo(Device.CPU)"), call + " does not say what to do: " + text);
    }
}
