package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link BatchBuilds} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaBatchBuilds {
    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private String[] names;
    private BigIntVector ids;
    private IntVector counts;
    private Float8Vector prices;
    private BitVector flags;
    private VarCharVector texts;
    private VectorSchemaRoot root;

    @Setup
    public void prepare() {
        allocator = new RootAllocator();
        names = Texts.of(1_000, 8);
        ids = new BigIntVector("id", allocator);
        counts = new IntVector("count", allocator);
        prices = new Float8Vector("price", allocator);
        flags = new BitVector("flag", allocator);
        texts = new VarCharVector("name", allocator);
        root = VectorSchemaRoot.of(ids, counts, prices, flags, texts);
    }

    @TearDown
    public void check() {
        Outcome.require(rows, root.getRowCount());
        Outcome.require(rows - 1L, ids.get(rows - 1));
        root.close();
        allocator.close();
    }

    @Benchmark
    public VectorSchemaRoot setSafe() {
        root.clear();
        for (int i = 0; i < rows; i++) {
            ids.setSafe(i, i);
            if (i % 10 == 0) {
                counts.setNull(i);
            } else {
                counts.setSafe(i, i);
            }
            prices.setSafe(i, i * 0.5);
            flags.setSafe(i, i & 1);
            texts.setSafe(i, names[i % names.length].getBytes(StandardCharsets.UTF_8));
        }
        root.setRowCount(rows);
        return root;
    }
}
