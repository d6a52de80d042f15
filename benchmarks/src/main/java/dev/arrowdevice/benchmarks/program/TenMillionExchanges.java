package dev.arrowdevice.benchmarks.program;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import dev.arrowdevice.builder.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Exports, imports and releases a batch ten million times, and prints by how much the resident memory of the process grew
 * meanwhile. That includes memory that no counter of ours knows. Fails if a counter does not return to its first value.
 * Needs Linux, and a heap that is touched at the start, so that it does not grow.
 */
public final class TenMillionExchanges {
    private static final int EXCHANGES = 10_000_000;

    private static final Path STATUS = Path.of("/proc/self/status");

    private TenMillionExchanges() {}

    /** The first argument, where there is one, is how many exchanges instead of ten million. */
    public static void main(String[] arguments) throws IOException {
        int exchanges = arguments.length > 0 ? Integer.parseInt(arguments[0]) : EXCHANGES;
        Schema schema =
                Schema.of(List.of(Field.nullable("id", ArrowType.INT64), Field.nullable("name", ArrowType.UTF8)));
        try (RecordBatchBuilder builder = RecordBatchBuilder.of(schema)) {
            builder.appendRow(1L, "Ada");
            try (RecordBatch batch = builder.finish()) {
                // Until the compilers are done, and their memory does not grow any more.
                exchange(batch, exchanges / 5);
                ArrowCounters before = ArrowCounters.now();
                long resident = residentBytes();
                long begin = System.nanoTime();
                exchange(batch, exchanges);
                long end = System.nanoTime();
                double growth = residentBytes() - resident;
                ArrowCounters change = ArrowCounters.now().minus(before);
                long unreleased = change.unreleased();
                long leaked = change.hostBytes();
                if (unreleased != 0 || leaked != 0) {
                    throw new AssertionError(unreleased + " exchanges not released, " + leaked + " bytes leaked");
                }
                Figures.print((double) (end - begin) / exchanges, growth);
            }
        }
    }

    private static void exchange(RecordBatch batch, int times) {
        for (int i = 0; i < times; i++) {
            try (CArrayStruct struct = CStruct.array();
                    RecordBatch shared = batch.share()) {
                ArrowExport.exportBatch(shared, struct);
                ArrowImport.importBatch(struct, batch.getSchema(), Validation.STRUCTURE)
                        .close();
            }
        }
    }

    private static long residentBytes() throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException(STATUS + " says nothing of resident memory");
    }
}
