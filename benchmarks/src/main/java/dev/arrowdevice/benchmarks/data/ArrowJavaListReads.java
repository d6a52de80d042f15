package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.complex.ListVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link ListReads} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaListReads {
    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private ListVector vector;
    private long result;

    @Setup
    public void build() {
        allocator = new RootAllocator();
        vector = (ListVector) ArrowJavaForeign.imported(allocator, ListReads.lists(rows));
    }

    @TearDown
    public void check() {
        vector.close();
        allocator.close();
        Outcome.require(rows * (ListReads.LIST_SIZE * (ListReads.LIST_SIZE - 1L) / 2), result);
    }

    @Benchmark
    public long byElement() {
        BigIntVector elements = (BigIntVector) vector.getDataVector();
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            int end = vector.getElementEndIndex(i);
            for (int element = vector.getElementStartIndex(i); element < end; element++) {
                sum += elements.get(element);
            }
        }
        return result = sum;
    }

    /** Each list as a list of boxes. */
    @Benchmark
    public long byObject() {
        long sum = 0;
        for (int i = 0; i < vector.getValueCount(); i++) {
            for (Object element : vector.getObject(i)) {
                sum += (Long) element;
            }
        }
        return result = sum;
    }
}
