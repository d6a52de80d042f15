package dev.arrowdevice.benchmarks.ipc;

import com.github.luben.zstd.Zstd;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.ipc.ArrowStreamReader;
import dev.arrowdevice.ipc.IpcWriteOptions;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.apache.commons.compress.compressors.lz77support.Parameters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The buffers of a batch through the library that compresses, and nothing else. Its memory is there already. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class IpcCodecs {
    /** The level of Arrow C++, and of ours. */
    private static final int ZSTD_LEVEL = 1;
    /** The smallest block, which the library allocates for each frame. The buffers are smaller. */
    private static final BlockSize LZ4_BLOCK = BlockSize.K64;

    private static final Parameters LZ4_FAST = BlockLZ4CompressorOutputStream.createParameterBuilder()
            .tunedForSpeed()
            .build();

    @Param("COLUMNS")
    public IpcData data;

    @Param("10")
    public int rows;

    @Param("ZSTD")
    public String compression;

    private final List<byte[]> plain = new ArrayList<>();
    private final List<byte[]> packed = new ArrayList<>();
    private final List<ByteBuffer> directPlain = new ArrayList<>();
    private final List<ByteBuffer> directPacked = new ArrayList<>();
    /** What is decompressed has to be somewhere. */
    private final List<ByteBuffer> directTargets = new ArrayList<>();

    private byte[] bytes;
    private ByteBuffer target;
    private long plainSize;
    private long packedSize;
    private long compressed;
    private long decompressed;

    @Setup
    public void prepare() throws IOException {
        try (RecordBatch batch = data.build(rows)) {
            MemoryChannel channel = IpcStreams.written(batch, 1, IpcWriteOptions.defaults());
            try (ArrowStreamReader reader = ArrowStreamReader.open(channel);
                    RecordBatch read = reader.nextBatch()) {
                ArrayData struct = read.asStruct().getData();
                for (int i = 0; i < struct.getChildCount(); i++) {
                    collect(struct.child(i));
                }
            }
        }
        int largest = plain.stream().mapToInt(buffer -> buffer.length).max().orElse(0);
        bytes = new byte[largest];
        target = ByteBuffer.allocateDirect((int) Zstd.compressBound(largest));
        for (byte[] buffer : plain) {
            byte[] frame = isZstd() ? Zstd.compress(buffer, ZSTD_LEVEL) : lz4(buffer);
            plainSize += buffer.length;
            packedSize += frame.length;
            packed.add(frame);
            directPlain.add(direct(buffer));
            directPacked.add(direct(frame));
            directTargets.add(ByteBuffer.allocateDirect(buffer.length));
        }
        compressed = packedSize;
        decompressed = plainSize;
    }

    private void collect(ArrayData column) {
        for (int i = 0; i < column.getBufferCount(); i++) {
            DeviceBuffer buffer = column.buffer(i);
            if (buffer != null && buffer.getByteSize() > 0) {
                byte[] copy = new byte[(int) buffer.getByteSize()];
                buffer.memory().get(0, copy, 0, copy.length);
                plain.add(copy);
            }
        }
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] lz4(byte[] buffer) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream(buffer.length);
        try (OutputStream output = new FramedLZ4CompressorOutputStream(
                frame, new FramedLZ4CompressorOutputStream.Parameters(LZ4_BLOCK, false, false, false, LZ4_FAST))) {
            output.write(buffer);
        }
        return frame.toByteArray();
    }

    private boolean isZstd() {
        return compression.equals("ZSTD");
    }

    @TearDown
    public void check() {
        Outcome.require(packedSize, compressed);
        Outcome.require(plainSize, decompressed);
    }

    @Benchmark
    public long compress() throws IOException {
        long size = 0;
        if (isZstd()) {
            for (ByteBuffer buffer : directPlain) {
                size += Zstd.compressDirectByteBuffer(
                        target, 0, target.capacity(), buffer, 0, buffer.capacity(), ZSTD_LEVEL);
            }
        } else {
            for (byte[] buffer : plain) {
                size += lz4(buffer).length;
            }
        }
        return compressed = size;
    }

    @Benchmark
    public long decompress() throws IOException {
        long size = 0;
        if (isZstd()) {
            for (int i = 0; i < directPacked.size(); i++) {
                ByteBuffer frame = directPacked.get(i);
                ByteBuffer to = directTargets.get(i);
                size += Zstd.decompressDirectByteBuffer(to, 0, to.capacity(), frame, 0, frame.capacity());
            }
        } else {
            for (byte[] frame : packed) {
                try (InputStream input = new FramedLZ4CompressorInputStream(new ByteArrayInputStream(frame))) {
                    size += input.readNBytes(bytes, 0, bytes.length);
                }
            }
        }
        return decompressed = size;
    }
}
