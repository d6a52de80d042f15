package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
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
 * What {@link ArrayRoundTrip} does, by Arrow Java. If the type is known, the vector to import into exists already, which
 * is faster. Bounds checks are on, the default. Without them (the property {@code arrow.enable_unsafe_memory_access}) it
 * took 0 to 4 % less.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaArrayRoundTrip {
    @Param("INT32")
    public Kind kind;

    @Param("1000")
    public int rows;

    /** Nulls in a hundred values. */
    @Param("0")
    public int nulls;

    private BufferAllocator allocator;
    private FieldVector vector;
    private FieldVector target;
    private Slots slot;

    @Setup
    public void build() {
        Balance.begin();
        slot = new Slots(1);
        allocator = new RootAllocator();
        vector = ArrowJavaSamples.vector(allocator, kind, rows, nulls);
        target = vector.getField().createVector(allocator);
        exchange();
        ArrowJavaSamples.requireEqual(target, vector);
        exchangeIn(ArrowArray.wrap(slot.address()));
        ArrowJavaSamples.requireEqual(target, vector);
        try (FieldVector imported = exchangeWithSchema()) {
            ArrowJavaSamples.requireEqual(imported, vector);
        }
    }

    @TearDown
    public void close() {
        target.close();
        vector.close();
        allocator.close();
        slot.close();
        Balance.end();
    }

    @Benchmark
    public int typeKnown() {
        exchange();
        return released();
    }

    @Benchmark
    public int withSchema() {
        try (FieldVector imported = exchangeWithSchema()) {
            return imported.getValueCount();
        }
    }

    @Benchmark
    public int structReused() {
        exchangeIn(ArrowArray.wrap(slot.address()));
        return released();
    }

    private int released() {
        int count = target.getValueCount();
        target.clear();
        return count;
    }

    private void exchange() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator)) {
            exchangeIn(struct);
        }
    }

    private void exchangeIn(ArrowArray struct) {
        Data.exportVector(allocator, vector, null, struct);
        Data.importIntoVector(allocator, struct, target, null);
    }

    private FieldVector exchangeWithSchema() {
        try (ArrowArray struct = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            Data.exportVector(allocator, vector, null, struct, schema);
            return Data.importVector(allocator, struct, schema, null);
        }
    }
}
