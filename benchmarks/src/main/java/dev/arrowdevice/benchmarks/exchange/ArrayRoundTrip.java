package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.array.DeviceArray;
import dev.arrowdevice.build.ArrayBuilder;
import dev.arrowdevice.exchange.ArrowExport;
import dev.arrowdevice.exchange.ArrowImport;
import dev.arrowdevice.exchange.CStruct;
import dev.arrowdevice.type.ArrowType;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Export, import and release of one int32 array by arrow-device, in fresh struct memory each time. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrayRoundTrip {
    @Param("1000")
    public int rows;

    private DeviceArray array;

    @Setup
    public void build() {
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT32)) {
            builder.appendAll(IntStream.range(0, rows).toArray());
            array = builder.finish();
        }
    }

    @TearDown
    public void close() {
        array.close();
    }

    @Benchmark
    public void typeKnown() {
        try (CStruct struct = CStruct.array();
                DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, struct.address());
            ArrowImport.importArray(struct.address(), ArrowType.INT32).close();
        }
    }

    @Benchmark
    public void withSchema() {
        try (CStruct struct = CStruct.array();
                CStruct schema = CStruct.schema();
                DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, struct.address(), schema.address());
            ArrowImport.importArray(struct.address(), schema.address()).close();
        }
    }
}
