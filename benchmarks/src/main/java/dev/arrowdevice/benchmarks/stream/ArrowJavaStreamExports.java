package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.benchmarks.exchange.CStreams;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link StreamExports} does, by Arrow Java. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ArrowJavaStreamExports {
    @Param("100")
    public int batches;

    private BufferAllocator allocator;
    private long result;

    @Setup
    public void load() {
        allocator = new RootAllocator();
    }

    @TearDown
    public void check() {
        allocator.close();
        Outcome.require((long) batches * Streams.ROWS, result);
    }

    @Benchmark
    public long reader() {
        try (ArrowArrayStream struct = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, new SameBatch(allocator, batches), struct);
            return result = CStreams.consume(struct.memoryAddress());
        }
    }

    /** Gives one batch again and again. */
    private static final class SameBatch extends ArrowReader {
        private final VectorSchemaRoot root;
        private int left;

        SameBatch(BufferAllocator allocator, int batches) {
            super(allocator);
            IntVector vector = new IntVector("n", allocator);
            for (int i = 0; i < Streams.ROWS; i++) {
                vector.setSafe(i, i);
            }
            vector.setValueCount(Streams.ROWS);
            root = VectorSchemaRoot.of(vector);
            left = batches;
        }

        @Override
        public VectorSchemaRoot getVectorSchemaRoot() {
            return root;
        }

        @Override
        public boolean loadNextBatch() {
            return left-- > 0;
        }

        @Override
        public long bytesRead() {
            return 0;
        }

        @Override
        protected void closeReadSource() {
            root.close();
        }

        @Override
        protected Schema readSchema() {
            return root.getSchema();
        }
    }
}
