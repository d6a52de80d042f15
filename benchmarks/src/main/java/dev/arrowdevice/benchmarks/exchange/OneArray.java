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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link ArrayRoundTrip} does, of one array for all threads, which so count its references in one place. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class OneArray {
    private static final int ROWS = 1000;

    private DeviceArray array;

    @Setup
    public void build() {
        Balance.begin();
        array = Samples.array(Kind.INT32, ROWS, 0);
    }

    @TearDown
    public void close() {
        array.close();
        Balance.end();
    }

    @Benchmark
    public long exchange() {
        try (CArrayStruct struct = CStruct.array();
                DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, struct);
            try (DeviceArray imported = ArrowImport.importArray(struct, Kind.INT32.type)) {
                return imported.getLength();
            }
        }
    }
}
