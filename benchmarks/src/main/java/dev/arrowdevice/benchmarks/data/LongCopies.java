package dev.arrowdevice.benchmarks.data;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.spi.CpuRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Copies between a long array and memory of an int64 array. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class LongCopies {
    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private DeviceArray array;
    private DeviceBuffer buffer;
    private HostMemory memory;
    private LongBuffer direct;
    private long[] source;
    private long[] target;
    /** Where the last copy went. */
    private @Nullable Object copied;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        source = LongStream.range(0, rows).toArray();
        target = new long[rows];
        direct = ByteBuffer.allocateDirect(Math.multiplyExact(rows, Long.BYTES))
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        direct.put(0, source);
        buffer = CpuRuntime.INSTANCE.allocate((long) rows * Long.BYTES);
        memory = buffer.memory();
        memory.fill(0, buffer.getByteSize(), (byte) -1);
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(source);
            array = Foreign.imported(builder);
        }
    }

    @TearDown
    public void check() {
        if (copied instanceof long[] there) {
            Outcome.require(0, Arrays.compare(source, there));
        } else if (copied == memory) {
            for (int i = 0; i < rows; i++) {
                Outcome.require(source[i], memory.getLong((long) i * Long.BYTES));
            }
        } else if (copied == direct) {
            Outcome.require(0, direct.compareTo(LongBuffer.wrap(source)));
        } else {
            Outcome.require(rows, ((Number) Objects.requireNonNull(copied)).longValue());
        }
        array.close();
        buffer.getOwner().release();
        balance.verify();
    }

    /** From an imported array. */
    @Benchmark
    public long[] toPrimitives() {
        array.getLongs(0, target, 0, rows);
        copied = target;
        return target;
    }

    @Benchmark
    public HostMemory fromPrimitives() {
        memory.put(0, source, 0, rows);
        copied = memory;
        return memory;
    }

    /** A new array of ours, freed at once. */
    @Benchmark
    public long toNewArray() {
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(source);
            try (DeviceArray built = builder.finish()) {
                copied = built.getLength();
                return built.getLength();
            }
        }
    }

    @Benchmark
    public long[] arraycopy() {
        System.arraycopy(source, 0, target, 0, rows);
        copied = target;
        return target;
    }

    /** From a direct buffer. */
    @Benchmark
    public long[] fromByteBuffer() {
        direct.get(0, target);
        copied = target;
        return target;
    }

    @Benchmark
    public LongBuffer toByteBuffer() {
        direct.put(0, source);
        copied = direct;
        return direct;
    }

    @Benchmark
    public long[] cloned() {
        long[] clone = source.clone();
        copied = clone;
        return clone;
    }
}
