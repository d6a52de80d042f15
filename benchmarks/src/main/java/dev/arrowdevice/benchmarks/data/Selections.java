package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** New arrays of selected elements of an array, or of all elements twice. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Selections {
    /** int64 or utf8-short. */
    @Param("int64")
    public String kind;

    @Param("10000000")
    public int rows;

    /** How many in a hundred the mask selects. */
    @Param("50")
    public int percent;

    private ReleaseBalance balance;
    private DeviceArray array;
    private DeviceArray mask;
    private DeviceArray indices;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        array = SelectionInput.values(kind, rows);
        mask = SelectionInput.mask(rows, percent);
        indices = SelectionInput.indices(rows);
    }

    @TearDown
    public void check() {
        try (DeviceArray taken = array.take(indices)) {
            Outcome.require(rows, taken.getLength());
            long row = rows / 3;
            Object expected = array.getObject(indices.getLong(row));
            if (!expected.equals(taken.getObject(row))) {
                throw new IllegalStateException("row " + row + " is " + taken.getObject(row) + ", not " + expected);
            }
        }
        array.close();
        mask.close();
        indices.close();
        balance.verify();
    }

    @Benchmark
    public long filter() {
        try (DeviceArray kept = array.filter(mask)) {
            return kept.getLength();
        }
    }

    @Benchmark
    public long take() {
        try (DeviceArray taken = array.take(indices)) {
            return taken.getLength();
        }
    }

    @Benchmark
    public long concat() {
        try (DeviceArray twice = DeviceArray.concat(List.of(array, array))) {
            return twice.getLength();
        }
    }

    /** What {@link #concat} of int64 has to do at least: new memory, and two copies into it. */
    @Benchmark
    public long copy() {
        DeviceBuffer values = array.getData().buffer(1);
        long size = values.getByteSize();
        DeviceBuffer twice = CpuRuntime.INSTANCE.allocate(2 * size);
        try {
            values.memory().copyTo(0, twice.memory(), 0, size);
            values.memory().copyTo(0, twice.memory(), size, size);
            return twice.getByteSize();
        } finally {
            twice.getOwner().release();
        }
    }
}
