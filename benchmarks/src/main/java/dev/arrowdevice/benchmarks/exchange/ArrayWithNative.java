package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.DeviceArray;
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
 * An array between arrow-device and C or Arrow C++: exported to a consumer there, which releases it, or imported from a
 * producer there and closed. The time includes one FFM call of the other side for each array.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrayWithNative {
    @Param("INT32")
    public Kind kind;

    @Param("1000")
    public int rows;

    private DeviceArray array;
    private CSource c;
    private CppSource cpp;
    private Slots slot;

    @Setup
    public void build() {
        Balance.begin();
        array = Samples.array(kind, rows, 0);
        c = CSource.of(array.share());
        cpp = CppSource.of(array.share(), false);
        slot = new Slots(1);
        if (toC() != c.exchange(1)) {
            throw new AssertionError("C has seen another array than it exports");
        }
        c.export(slot.address());
        requireEqual();
        cpp.export(slot.address());
        requireEqual();
    }

    private void requireEqual() {
        try (DeviceArray imported = importSlot()) {
            if (!imported.valuesEqual(array)) {
                throw new AssertionError("what was imported has other values than what was exported");
            }
        }
    }

    @TearDown
    public void close() {
        slot.close();
        cpp.close();
        c.close();
        array.close();
        Balance.end();
    }

    @Benchmark
    public long toC() {
        export();
        return CSource.consume(slot.address());
    }

    @Benchmark
    public long fromC() {
        c.export(slot.address());
        try (DeviceArray imported = importSlot()) {
            return imported.getLength();
        }
    }

    @Benchmark
    public void toCpp() {
        export();
        cpp.consume(slot.address());
    }

    @Benchmark
    public long fromCpp() {
        cpp.export(slot.address());
        try (DeviceArray imported = importSlot()) {
            return imported.getLength();
        }
    }

    private void export() {
        try (DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, slot.struct());
        }
    }

    private DeviceArray importSlot() {
        return ArrowImport.importArray(slot.struct(), kind.type);
    }
}
