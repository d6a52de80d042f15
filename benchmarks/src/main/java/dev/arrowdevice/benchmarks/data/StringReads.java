package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Every value of an imported utf8 array as a string. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class StringReads {
    @Param("1000")
    public int rows;

    /** Characters of each value. */
    @Param("8")
    public int size;

    @Param("true")
    public boolean ascii;

    private ReleaseBalance balance;
    private DeviceArray array;
    private long result;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.UTF8)) {
            builder.appendAll(List.of(Texts.of(rows, size, ascii)));
            array = Foreign.imported(builder);
        }
    }

    @TearDown
    public void check() {
        array.close();
        balance.verify();
        Outcome.require((long) rows * size, result);
    }

    @Benchmark
    public long byElement() {
        return result = array.<Long>borrow(reader -> {
            long sum = 0;
            for (long i = 0; i < reader.getLength(); i++) {
                sum += reader.getString(i).length();
            }
            return sum;
        });
    }

    @Benchmark
    public long kotlinIterator() {
        return result = KotlinReads.sumOfLengths(array);
    }
}
