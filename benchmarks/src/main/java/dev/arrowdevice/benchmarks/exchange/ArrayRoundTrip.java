package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
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
 * Export, import and release of one array by arrow-device. It exports a share of an array that stays, as Arrow Java's
 * export adds a reference to the vector's buffers. Each exchange allocates the struct's memory anew, except in
 * {@link #structReused}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrayRoundTrip {
    @Param("INT32")
    public Kind kind;

    @Param("1000")
    public int rows;

    /** Nulls in a hundred values. */
    @Param("0")
    public int nulls;

    private DeviceArray array;
    private Slots slot;

    @Setup
    public void build() {
        Balance.begin();
        slot = new Slots(1);
        array = Samples.array(kind, rows, nulls);
        requireEqual(exchange());
        requireEqual(exchangeWithSchema());
        requireEqual(exchangeIn(slot.struct()));
    }

    private void requireEqual(DeviceArray imported) {
        try (imported) {
            if (!imported.valuesEqual(array)) {
                throw new AssertionError("what was imported has other values than what was exported");
            }
        }
    }

    @TearDown
    public void close() {
        array.close();
        slot.close();
        Balance.end();
    }

    @Benchmark
    public long typeKnown() {
        try (DeviceArray imported = exchange()) {
            return imported.getLength();
        }
    }

    @Benchmark
    public long withSchema() {
        try (DeviceArray imported = exchangeWithSchema()) {
            return imported.getLength();
        }
    }

    @Benchmark
    public long structReused() {
        try (DeviceArray imported = exchangeIn(slot.struct())) {
            return imported.getLength();
        }
    }

    private DeviceArray exchange() {
        try (CArrayStruct struct = CStruct.array()) {
            return exchangeIn(struct);
        }
    }

    private DeviceArray exchangeIn(CArrayStruct struct) {
        try (DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, struct);
            return ArrowImport.importArray(struct, kind.type);
        }
    }

    private DeviceArray exchangeWithSchema() {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema();
                DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, struct, schema);
            return ArrowImport.importArray(struct, schema);
        }
    }
}
