package dev.arrowdevice.benchmarks.exchange;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Export, import and release, each alone.
 *
 * <p>None of them can be done twice without the others in between, and reading a clock around each would cost as much as it
 * does. So one invocation does a hundred of them in a row, on as many structs. JMH does the work between two invocations
 * outside the timing. Its two readings of the clock take less than 1 ns for each operation. The hundred structs are out at
 * the same time and leave the innermost cache, as those of a consumer that holds a few would.
 *
 * <p>The other side is C. It fills the structs that are imported. It releases exported ones in a loop of its own, so that a
 * release costs what a foreign consumer pays. The type or schema is known.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Alone {
    /** The two sides and the structs between them. */
    @State(Scope.Thread)
    public abstract static class Boundary {
        @Param("ARRAYS")
        public Ends.Side side;

        @Param("INT32")
        public Kind kind;

        @Param("1000")
        public int rows;

        Ends ends;
        CSource c;
        Slots slots;

        @Setup
        public void open() {
            if (kind.isBatch() != side.isBatch()) {
                throw new IllegalArgumentException(kind + " is nothing for " + side);
            }
            Balance.begin();
            ends = side.open(kind, rows);
            c = CSource.of(Samples.array(kind, rows, 0));
            slots = new Slots(Ends.COUNT);
            c.exportAll(slots, Ends.COUNT);
            ends.importAll(slots);
            ends.requireEqual();
            ends.closeAll();
        }

        @TearDown
        public void close() {
            slots.close();
            c.close();
            ends.close();
            Balance.end();
        }
    }

    public static class ToExport extends Boundary {
        @TearDown(Level.Invocation)
        public void after() {
            CSource.releaseAll(slots, Ends.COUNT);
        }
    }

    public static class ToRelease extends Boundary {
        @Setup(Level.Invocation)
        public void before() {
            ends.exportAll(slots);
        }
    }

    public static class ToImport extends Boundary {
        @Setup(Level.Invocation)
        public void before() {
            c.exportAll(slots, Ends.COUNT);
        }

        @TearDown(Level.Invocation)
        public void after() {
            ends.closeAll();
        }
    }

    public static class ToClose extends Boundary {
        @Setup(Level.Invocation)
        public void before() {
            c.exportAll(slots, Ends.COUNT);
            ends.importAll(slots);
        }
    }

    @Benchmark
    @OperationsPerInvocation(Ends.COUNT)
    public void exported(ToExport boundary) {
        boundary.ends.exportAll(boundary.slots);
    }

    /** C releases what was exported. */
    @Benchmark
    @OperationsPerInvocation(Ends.COUNT)
    public void released(ToRelease boundary) {
        CSource.releaseAll(boundary.slots, Ends.COUNT);
    }

    @Benchmark
    @OperationsPerInvocation(Ends.COUNT)
    public void imported(ToImport boundary) {
        boundary.ends.importAll(boundary.slots);
    }

    /** What was imported is closed, and so released to C. */
    @Benchmark
    @OperationsPerInvocation(Ends.COUNT)
    public void closed(ToClose boundary) {
        boundary.ends.closeAll();
    }
}
