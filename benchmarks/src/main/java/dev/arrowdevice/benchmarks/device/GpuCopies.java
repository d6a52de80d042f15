package dev.arrowdevice.benchmarks.device;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.cuda.CudaRuntime;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.MemoryKind;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
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

/** Copies of an int64 array without nulls from the host to an NVIDIA GPU, each until it is there. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class GpuCopies {
    @Param("1000")
    public int rows;

    private ReleaseBalance balance;
    private CudaRuntime gpu;
    private CudaRuntime host;
    private DeviceArray plain;
    private DeviceArray pinned;
    private DeviceBuffer source;
    private DeviceBuffer target;
    private CUdeviceptr from;
    private CUdeviceptr fromPageable;
    private CUdeviceptr to;
    private CUstream stream;
    private @Nullable DeviceArray copied;

    @Setup
    public void prepare() {
        balance = ReleaseBalance.start();
        gpu = CudaRuntime.open(0);
        host = CudaRuntime.open(0, MemoryKind.HOST);
        long[] values = LongStream.range(0, rows).toArray();
        try (ArrayBuilder builder = ArrayBuilder.of(ArrowType.INT64)) {
            builder.appendAll(values);
            plain = builder.finish();
        }
        pinned = plain.copyTo(host);
        source = gpu.allocateStaging((long) rows * Long.BYTES);
        source.memory().put(0, values, 0, rows);
        target = gpu.allocate(source.getByteSize());
        from = gpu.pointer(source);
        fromPageable =
                new CUdeviceptr().withByteOffset(plain.getData().buffer(1).getAddress());
        to = gpu.pointer(target);
        stream = gpu.stream(gpu.getDefaultQueue());
    }

    @TearDown
    public void check() {
        if (copied != null) {
            try (DeviceArray back = copied.copyTo(Device.CPU)) {
                Outcome.require(1, back.valuesEqual(plain) ? 1 : 0);
            }
            copied.close();
        } else {
            source.memory().fill(0, source.getByteSize(), (byte) -1);
            gpu.copy(target, 0, source, 0, source.getByteSize());
            for (int i = 0; i < rows; i++) {
                Outcome.require(i, source.memory().getLong((long) i * Long.BYTES));
            }
        }
        target.getOwner().release();
        source.getOwner().release();
        pinned.close();
        plain.close();
        host.close();
        gpu.close();
        balance.verify();
    }

    /** From pinned memory to new memory of the GPU. */
    @Benchmark
    public DeviceArray fromPinned() {
        return copy(pinned);
    }

    /** From memory that isn't pinned, by way of new memory that is. */
    @Benchmark
    public DeviceArray fromPlain() {
        return copy(plain);
    }

    private DeviceArray copy(DeviceArray array) {
        if (copied != null) {
            copied.close();
        }
        return copied = array.copyTo(gpu);
    }

    /** The same bytes by the driver, between pinned memory and memory of the GPU that are there. */
    @Benchmark
    public int raw() {
        return gpu.inContext(() -> {
            require(JCudaDriver.cuMemcpyHtoDAsync(to, from, source.getByteSize(), stream));
            return require(JCudaDriver.cuStreamSynchronize(stream));
        });
    }

    /** The same bytes by the driver, from memory that isn't pinned: it pins parts of its own, or copies to such. */
    @Benchmark
    public int rawPageable() {
        return gpu.inContext(() -> require(JCudaDriver.cuMemcpyHtoD(to, fromPageable, source.getByteSize())));
    }

    private static int require(int code) {
        if (code != CUresult.CUDA_SUCCESS) {
            throw new IllegalStateException("CUDA's driver failed with " + CUresult.stringFor(code));
        }
        return code;
    }
}
