package dev.arrowdevice.benchmarks.device;

import dev.arrowdevice.Device;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.testkit.ReleaseBalance;
import dev.arrowdevice.testkit.device.SimulatedDevice;
import java.nio.ByteBuffer;
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

/** Copies of a batch of eight int64 columns to the simulated device and back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class DeviceCopies {
    static final int COLUMNS = 8;

    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private SimulatedDevice device;
    private RecordBatch here;
    private RecordBatch there;
    private ByteBuffer source;
    private ByteBuffer target;

    @Setup
    public void build() {
        balance = ReleaseBalance.start();
        device = SimulatedDevice.open(0);
        here = DeviceBatches.of(COLUMNS, rows);
        there = here.copyTo(device.device());
        source = ByteBuffer.allocateDirect(COLUMNS * rows * Long.BYTES);
        target = ByteBuffer.allocateDirect(source.capacity());
    }

    @TearDown
    public void check() {
        try (RecordBatch back = there.copyTo(Device.CPU)) {
            Outcome.require(1, back.valuesEqual(here) ? 1 : 0);
        }
        here.close();
        there.close();
        device.close();
        balance.verify();
    }

    @Benchmark
    public void toDevice() {
        here.copyTo(device.device()).close();
    }

    @Benchmark
    public void toHost() {
        there.copyTo(Device.CPU).close();
    }

    /** The same bytes between two memories that are there. */
    @Benchmark
    public ByteBuffer memcpy() {
        return target.put(0, source, 0, source.capacity());
    }
}
