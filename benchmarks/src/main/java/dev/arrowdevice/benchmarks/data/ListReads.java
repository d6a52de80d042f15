package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrayReader;
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

/** The sum of all elements of an imported array of lists of ten int64. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ListReads {
    static final int LIST_SIZE = 10;

    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private DeviceArray array;
    private long result;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        array = Foreign.imported(lists(rows));
    }

    static DeviceArray lists(int rows) {
        long[] list = LongStream.range(0, LIST_SIZE).toArray();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.list(ArrowType.INT64))) {
            for (int i = 0; i < rows; i++) {
                builder.append(list);
            }
            return builder.finish();
        }
    }

    @TearDown
    public void check() {
        array.close();
        balance.verify();
        Outcome.require(rows * (LIST_SIZE * (LIST_SIZE - 1L) / 2), result);
    }

    @Benchmark
    public long byElement() {
        return result = array.<Long>borrow(lists -> {
            ArrayReader elements = lists.child(0);
            long sum = 0;
            for (long i = 0; i < lists.getLength(); i++) {
                long start = lists.listStart(i);
                long end = start + lists.listSize(i);
                for (long element = start; element < end; element++) {
                    sum += elements.getLong(element);
                }
            }
            return sum;
        });
    }

    /** Each list as a Kotlin list of boxes. */
    @Benchmark
    public long kotlinIterator() {
        return result = KotlinReads.sumOfLists(array);
    }
}
