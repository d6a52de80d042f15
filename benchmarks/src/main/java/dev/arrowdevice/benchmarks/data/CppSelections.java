package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.peers.arrowcpp.CppArray;
import dev.arrowdevice.peers.arrowcpp.CppArrays;
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

/**
 * What {@link Selections} does, by the compute functions of Arrow C++ in the same process, on the same memory. A call
 * costs a microsecond or two, beside milliseconds of work.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class CppSelections {
    @Param("int64")
    public String kind;

    @Param("10000000")
    public int rows;

    @Param("50")
    public int percent;

    private ReleaseBalance balance;
    private CppArray array;
    private CppArray mask;
    private CppArray indices;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        array = inCpp(SelectionInput.values(kind, rows));
        mask = inCpp(SelectionInput.mask(rows, percent));
        indices = inCpp(SelectionInput.indices(rows));
    }

    @TearDown
    public void check() {
        Outcome.require(rows, take());
        array.close();
        mask.close();
        indices.close();
        balance.verify();
    }

    private static CppArray inCpp(DeviceArray moved) {
        try (moved;
                CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema()) {
            ArrowExport.exportArray(moved, struct, schema);
            return CppArray.importFrom(struct.getAddress(), schema.getAddress());
        }
    }

    @Benchmark
    public long filter() {
        try (CppArray kept = CppArrays.compute("filter", array, mask)) {
            return kept.length();
        }
    }

    @Benchmark
    public long take() {
        try (CppArray taken = CppArrays.compute("take", array, indices)) {
            return taken.length();
        }
    }

    @Benchmark
    public long concat() {
        try (CppArray twice = CppArrays.concatenate(List.of(array, array))) {
            return twice.length();
        }
    }
}
