package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Validation;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.testkit.ReleaseBalance;
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

/** Import of an array, already exported in the same call, with validation. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Validations {
    /**
     * One of int32 (1 % nulls), utf8-short, utf8-long, the same two with -non-ascii, dictionary (1,000 short strings), list
     * (of ten int64).
     */
    @Param("int32")
    public String kind;

    @Param("FULL")
    public Validation level;

    /** The size of the array, in millions of bytes. */
    @Param("1")
    public int megabytes;

    private ReleaseBalance balance;
    private DeviceArray array;
    private long result;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        array = ValidatedArrays.build(kind, megabytes * 1_000_000);
    }

    @TearDown
    public void check() {
        Outcome.require(array.getLength(), result);
        array.close();
        balance.verify();
    }

    @Benchmark
    public long imported() {
        try (CArrayStruct struct = CStruct.array();
                DeviceArray shared = array.share()) {
            ArrowExport.exportArray(shared, struct);
            try (DeviceArray imported = ArrowImport.importArray(struct, array.getType(), level)) {
                return result = imported.getLength();
            }
        }
    }
}
