package dev.arrowdevice.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Writes its name into a file in the folder for temporary ones when an iteration begins, and when it ends. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Recording {
    @Param("")
    public String file;

    @Param({"a", "b"})
    public String name;

    @Setup(Level.Iteration)
    public void begin() throws IOException {
        record();
    }

    @TearDown(Level.Iteration)
    public void end() throws IOException {
        record();
    }

    private void record() throws IOException {
        Files.writeString(Path.of(System.getProperty("java.io.tmpdir"), file), name, StandardOpenOption.APPEND);
    }

    @Benchmark
    public void park() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
