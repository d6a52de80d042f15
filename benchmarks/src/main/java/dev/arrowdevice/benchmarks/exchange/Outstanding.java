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
 * Many int32 arrays that are out at the same time: all are exported, then all are imported and closed. The cost of one
 * must not depend on their number, except for the caches that they no longer fit in.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Outstanding {
    private static final int ROWS = 1000;

    @Param("100000")
    public int count;

    private DeviceArray array;
    private Slots slots;

    @Setup
    public void build() {
        Balance.begin();
        array = Samples.array(Kind.INT32, ROWS, 0);
        slots = new Slots(count);
    }

    @TearDown
    public void close() {
        slots.close();
        array.close();
        Balance.end();
    }

    @Benchmark
    public long exchange() {
        for (int i = 0; i < count; i++) {
            try (DeviceArray shared = array.share()) {
                ArrowExport.exportArray(shared, slots.struct(i));
            }
        }
        long rows = 0;
        for (int i = 0; i < count; i++) {
            try (DeviceArray imported = ArrowImport.importArray(slots.struct(i), Kind.INT32.type)) {
                rows += imported.getLength();
            }
        }
        if (rows != (long) ROWS * count) {
            throw new AssertionError("rows were lost: " + rows);
        }
        return rows;
    }
}
