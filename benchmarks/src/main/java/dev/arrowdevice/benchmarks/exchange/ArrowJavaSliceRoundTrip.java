package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.util.TransferPair;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link SliceRoundTrip} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaSliceRoundTrip {
    @Param("1000")
    public int rows;

    private BufferAllocator allocator;
    private FieldVector vector;
    private FieldVector target;

    @Setup
    public void build() {
        Balance.begin();
        allocator = new RootAllocator();
        vector = ArrowJavaSamples.vector(allocator, Kind.INT32, rows, SliceRoundTrip.NULLS);
        target = vector.getField().createVector(allocator);
        exchange();
        try (FieldVector slice = slice()) {
            ArrowJavaSamples.requireEqual(target, slice);
        }
    }

    @TearDown
    public void close() {
        target.close();
        vector.close();
        allocator.close();
        Balance.end();
    }

    @Benchmark
    public int sliced() {
        try (FieldVector slice = slice()) {
            return slice.getValueCount();
        }
    }

    @Benchmark
    public int exchanged() {
        exchange();
        int count = target.getValueCount();
        target.clear();
        return count;
    }

    private void exchange() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator);
                FieldVector slice = slice()) {
            Data.exportVector(allocator, slice, null, struct);
            Data.importIntoVector(allocator, struct, target, null);
        }
    }

    private FieldVector slice() {
        TransferPair pair = vector.getTransferPair(allocator);
        pair.splitAndTransfer(SliceRoundTrip.OMITTED, rows - 2 * SliceRoundTrip.OMITTED);
        return (FieldVector) pair.getTo();
    }
}
