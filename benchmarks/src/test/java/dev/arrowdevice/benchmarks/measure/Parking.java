package dev.arrowdevice.benchmarks.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Takes its time without a core, so that any number of threads are as quick as one, however busy the machine is. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Parking {
    @Benchmark
    public void park() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
