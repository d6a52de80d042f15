package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Validation;
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

/** A batch over the boundary by arrow-device, as {@link ArrayWithNative} does it with an array. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class BatchWithNative {
    @Param("COLUMNS_100")
    public Kind kind;

    @Param("1000")
    public int rows;

    private RecordBatch batch;
    private CSource c;
    private CppSource cpp;
    private Slots slot;

    @Setup
    public void build() {
        Balance.begin();
        batch = Samples.batch(kind, rows);
        c = CSource.of(batch.share().intoStruct());
        cpp = CppSource.of(batch.share().intoStruct(), true);
        slot = new Slots(1);
        if (toC() != c.exchange(1)) {
            throw new AssertionError("C has seen another batch than it exports");
        }
        c.export(slot.address());
        requireEqual();
        cpp.export(slot.address());
        requireEqual();
        if (valuesFromC() != firstRow(batch)) {
            throw new AssertionError("what was imported has another first row than what was exported");
        }
    }

    private void requireEqual() {
        try (RecordBatch imported = importSlot()) {
            if (!imported.valuesEqual(batch)) {
                throw new AssertionError("what was imported has other values than what was exported");
            }
        }
    }

    @TearDown
    public void close() {
        slot.close();
        cpp.close();
        c.close();
        batch.close();
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
        try (RecordBatch imported = importSlot()) {
            return imported.getRowCount();
        }
    }

    @Benchmark
    public long valuesFromC() {
        c.export(slot.address());
        try (RecordBatch imported = importSlot()) {
            return firstRow(imported);
        }
    }

    private long firstRow(RecordBatch imported) {
        long sum = 0;
        for (int i = 0; i < imported.getColumnCount(); i++) {
            ArrayView column = imported.column(i);
            switch (column.getType().id()) {
                case INT32 -> sum += column.getInt(0);
                case INT64 -> sum += column.getLong(0);
                case FLOAT64 -> sum += (long) column.getDouble(0);
                default -> sum += column.getString(0).length();
            }
        }
        return sum;
    }

    @Benchmark
    public void toCpp() {
        export();
        cpp.consume(slot.address());
    }

    @Benchmark
    public long fromCpp() {
        cpp.export(slot.address());
        try (RecordBatch imported = importSlot()) {
            return imported.getRowCount();
        }
    }

    private void export() {
        try (RecordBatch shared = batch.share()) {
            ArrowExport.exportBatch(shared, slot.struct());
        }
    }

    private RecordBatch importSlot() {
        return ArrowImport.importBatch(slot.struct(), batch.getSchema(), Validation.STRUCTURE);
    }
}
