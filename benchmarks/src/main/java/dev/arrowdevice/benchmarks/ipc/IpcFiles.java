package dev.arrowdevice.benchmarks.ipc;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.channels.FileChannel.MapMode.READ_ONLY;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.benchmarks.data.KotlinReads;
import dev.arrowdevice.builder.ArrayBuilder;
import dev.arrowdevice.builder.RecordBatchBuilder;
import dev.arrowdevice.ipc.ArrowFile;
import dev.arrowdevice.ipc.ArrowFileWriter;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A file of four int64 columns, which the system has in its cache: it is opened, one column is added up, and it is closed. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class IpcFiles {
    private static final String[] NAMES = {"a", "b", "c", "d"};
    private static final int SUMMED = 2;
    /** The first value of each batch's summed column, by which the raw sum finds it. */
    private static final long MARK = 0x1234_5678_9ABC_DEF0L;

    /** Of a batch. */
    @Param("10")
    public int rows;

    @Param("2")
    public int batches;

    private ReleaseBalance balance;
    private BufferAllocator allocator;
    private Path path;
    private long[] begins;
    private long result;

    @Setup
    public void write() throws IOException {
        balance = ReleaseBalance.start();
        allocator = new RootAllocator();
        path = Files.createTempFile("benchmark", ".arrow");
        try (RecordBatch batch = batch();
                ArrowFileWriter writer = ArrowFileWriter.open(path, batch.getSchema())) {
            for (int i = 0; i < batches; i++) {
                writer.write(batch);
            }
            writer.finish();
        }
        begins = marks();
        result = expected();
    }

    private RecordBatch batch() {
        Schema schema = Schema.of(Arrays.stream(NAMES)
                .map(name -> Field.notNull(name, ArrowType.INT64))
                .toList());
        try (RecordBatchBuilder builder = RecordBatchBuilder.of(schema)) {
            for (int column = 0; column < NAMES.length; column++) {
                ArrayBuilder values = builder.column(column);
                for (int i = 0; i < rows; i++) {
                    values.append(column == SUMMED && i == 0 ? MARK : (long) i);
                }
            }
            return builder.finish();
        }
    }

    private long expected() {
        return batches * (MARK + rows * (rows - 1L) / 2);
    }

    private long[] marks() throws IOException {
        long[] found = new long[batches];
        int count = 0;
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(path)) {
            MemorySegment bytes = file.map(READ_ONLY, 0, file.size(), arena);
            for (long at = 0; at <= bytes.byteSize() - 8; at += 8) {
                if (bytes.get(JAVA_LONG_UNALIGNED, at) == MARK) {
                    found[count++] = at;
                }
            }
        }
        Outcome.require(batches, count);
        return found;
    }

    @TearDown
    public void check() throws IOException {
        Files.delete(path);
        allocator.close();
        balance.verify();
        Outcome.require(expected(), result);
    }

    @Benchmark
    public long sum() {
        long sum = 0;
        try (ArrowFile file = ArrowFile.open(path)) {
            for (int i = 0; i < file.getBatchCount(); i++) {
                try (RecordBatch batch = file.batch(i)) {
                    sum += KotlinReads.sum(batch.column(SUMMED));
                }
            }
        }
        return result = sum;
    }

    /** The batches alone: no value is looked at. */
    @Benchmark
    public long open() {
        long count = 0;
        try (ArrowFile file = ArrowFile.open(path)) {
            for (int i = 0; i < file.getBatchCount(); i++) {
                try (RecordBatch batch = file.batch(i)) {
                    count += batch.getRowCount();
                }
            }
        }
        return count;
    }

    /** The same bytes, mapped and added up without anything in between. */
    @Benchmark
    public long raw() throws IOException {
        long sum = 0;
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(path)) {
            MemorySegment bytes = file.map(READ_ONLY, 0, file.size(), arena);
            for (long begin : begins) {
                MemorySegment column = bytes.asSlice(begin, 8L * rows);
                for (int i = 0; i < rows; i++) {
                    sum += column.getAtIndex(JAVA_LONG_UNALIGNED, i);
                }
            }
        }
        return result = sum;
    }

    @Benchmark
    public long arrowJavaSum() throws IOException {
        long sum = 0;
        try (FileChannel file = FileChannel.open(path);
                ArrowFileReader reader = new ArrowFileReader(file, allocator)) {
            while (reader.loadNextBatch()) {
                BigIntVector column =
                        (BigIntVector) reader.getVectorSchemaRoot().getVector(SUMMED);
                for (int i = 0; i < column.getValueCount(); i++) {
                    sum += column.get(i);
                }
            }
        }
        return result = sum;
    }

    @Benchmark
    public long arrowJavaOpen() throws IOException {
        long count = 0;
        try (FileChannel file = FileChannel.open(path);
                ArrowFileReader reader = new ArrowFileReader(file, allocator)) {
            while (reader.loadNextBatch()) {
                count += reader.getVectorSchemaRoot().getRowCount();
            }
        }
        return count;
    }
}
