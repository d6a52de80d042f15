package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.testkit.ReleaseBalance;
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

/** The sum of an imported int64 array without nulls. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LongReads {
    static final int CHUNK = 1024;

    @Param("1000")
    public int rows;

    /** The first row of a slice of the imported array; 0: the array itself. */
    @Param("3")
    public int offset;

    private ReleaseBalance balance;
    private DeviceArray array;
    private long result;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(LongStream.range(-offset, rows).toArray());
            array = Foreign.importedFrom(offset, builder);
        }
    }

    @TearDown
    public void check() {
        array.close();
        balance.verify();
        Outcome.require(rows * (rows - 1L) / 2, result);
    }

    @Benchmark
    public long byElement() {
        return result = array.<Long>borrow(reader -> {
            long sum = 0;
            for (long i = 0; i < reader.getLength(); i++) {
                sum += reader.getLong(i);
            }
            return sum;
        });
    }

    /** Without a borrow: each call holds the memory by itself. */
    @Benchmark
    public long byElementUnborrowed() {
        long sum = 0;
        for (long i = 0; i < array.getLength(); i++) {
            sum += array.getLong(i);
        }
        return result = sum;
    }

    @Benchmark
    public long inBulk() {
        long[] chunk = new long[CHUNK];
        long sum = 0;
        for (long start = 0; start < rows; start += CHUNK) {
            int count = (int) Math.min(CHUNK, rows - start);
            array.getLongs(start, chunk, 0, count);
            for (int i = 0; i < count; i++) {
                sum += chunk[i];
            }
        }
        return result = sum;
    }

    @Benchmark
    public long kotlinIterator() {
        return result = KotlinReads.sumByIterator(array);
    }

    @Benchmark
    public long kotlinNullableIterator() {
        return result = KotlinReads.sumByNullableIterator(array);
    }

    @Benchmark
    public long kotlinSum() {
        return result = KotlinReads.sum(array);
    }

    @Benchmark
    public long kotlinForEach() {
        return result = KotlinReads.sumForEach(array);
    }
}
