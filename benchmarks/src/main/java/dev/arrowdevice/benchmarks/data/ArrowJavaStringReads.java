package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link StringReads} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaStringReads {
    @Param("1000")
    public int rows;

    @Param("8")
    public int size;

    @Param("true")
    public boolean ascii;

    private BufferAllocator allocator;
    private VarCharVector vector;
    private long result;

    @Setup
    public void build() {
        allocator = new RootAllocator();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.UTF8)) {
            builder.appendAll(List.of(Texts.of(rows, size, ascii)));
            vector = (VarCharVector) ArrowJavaForeign.imported(allocator, builder);
        }
    }

    @TearDown
    public void check() {
        vector.close();
        allocator.close();
        Outcome.require((long) rows * size, result);
    }

    @Benchmark
    public long byElement() {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            sum += new String(vector.get(i), StandardCharsets.UTF_8).length();
        }
        return result = sum;
    }
}
