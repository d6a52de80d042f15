package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStruct;
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

/** A slice of an int32 array with nulls: made and closed, or exchanged besides. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SliceRoundTrip {
    /** Rows left out on either side; where the slice begins with a byte of validity, Arrow Java needs to copy none. */
    static final int OMITTED = 8;

    static final int NULLS = 10;

    @Param("1000")
    public int rows;

    private DeviceArray array;

    @Setup
    public void build() {
        Balance.begin();
        array = Samples.array(Kind.INT32, rows, NULLS);
        try (DeviceArray imported = imported();
                DeviceArray slice = array.slice(OMITTED, rows - 2 * OMITTED)) {
            if (!imported.valuesEqual(slice)) {
                throw new AssertionError("what was imported has other values than the slice");
            }
        }
    }

    @TearDown
    public void close() {
        array.close();
        Balance.end();
    }

    @Benchmark
    public long sliced() {
        try (DeviceArray slice = array.slice(OMITTED, rows - 2 * OMITTED)) {
            return slice.getLength();
        }
    }

    @Benchmark
    public long exchanged() {
        try (DeviceArray imported = imported()) {
            return imported.getLength();
        }
    }

    private DeviceArray imported() {
        try (CArrayStruct struct = CStruct.array();
                DeviceArray slice = array.slice(OMITTED, rows - 2 * OMITTED)) {
            ArrowExport.exportArray(slice, struct);
            return ArrowImport.importArray(struct, Kind.INT32.type);
        }
    }
}
