package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The exchange of an array between two ends in C, and between two in Arrow C++, in a loop there that Java only starts. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class NativeRoundTrip {
    private static final int COUNT = 1000;

    @Param("INT32")
    public Kind kind;

    @Param("1000")
    public int rows;

    private CSource c;
    private CppSource cpp;
    private long seen;

    @Setup
    public void build() {
        Balance.begin();
        c = CSource.of(Samples.array(kind, rows, 0));
        cpp = CppSource.of(Samples.array(kind, rows, 0), kind.isBatch());
        try (Slots slot = new Slots(1)) {
            cpp.export(slot.address());
            seen = CSource.consume(slot.address());
        }
        betweenC();
    }

    @TearDown
    public void close() {
        c.close();
        cpp.close();
        Balance.end();
    }

    /** Export, and a consumer that looks at each member of each struct and releases it: what no language can undercut. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public long betweenC() {
        long sum = c.exchange(COUNT);
        if (sum != seen * COUNT) {
            throw new AssertionError("C has seen another array than Arrow C++ exports");
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void betweenCpp() {
        cpp.exchange(COUNT);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void betweenCppWithSchema() {
        cpp.exchangeWithSchema(COUNT);
    }
}
