package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.benchmarks.Outcome;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What {@link LongReads} does, by the JVM's own means. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LongLoops {
    @Param("1000")
    public int rows;

    private long[] values;
    private ByteBuffer buffer;
    private long result;

    @Setup
    public void build() {
        values = LongStream.range(0, rows).toArray();
        buffer = ByteBuffer.allocateDirect(Math.multiplyExact(rows, Long.BYTES)).order(ByteOrder.nativeOrder());
        buffer.asLongBuffer().put(values);
    }

    @TearDown
    public void check() {
        Outcome.require(rows * (rows - 1L) / 2, result);
    }

    @Benchmark
    public long longArray() {
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return result = sum;
    }

    /** By the chunks of {@link LongReads#inBulk}. */
    @Benchmark
    public long inBulk() {
        long[] chunk = new long[LongReads.CHUNK];
        long sum = 0;
        for (int start = 0; start < rows; start += LongReads.CHUNK) {
            int count = Math.min(LongReads.CHUNK, rows - start);
            System.arraycopy(values, start, chunk, 0, count);
            for (int i = 0; i < count; i++) {
                sum += chunk[i];
            }
        }
        return result = sum;
    }

    @Benchmark
    public long byteBuffer() {
        long sum = 0;
        for (int i = 0; i < buffer.capacity(); i += Long.BYTES) {
            sum += buffer.getLong(i);
        }
        return result = sum;
    }

    @Benchmark
    public long boxes() {
        return result = KotlinReads.sumByIterator(values);
    }
}
