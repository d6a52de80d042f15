package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Validation;
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

/**
 * Export, import and release of one record batch by arrow-device, as {@link ArrayRoundTrip} does it with an array.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class BatchRoundTrip {
    @Param("COLUMNS_100")
    public Kind kind;

    @Param("1000")
    public int rows;

    private RecordBatch batch;

    @Setup
    public void build() {
        Balance.begin();
        batch = Samples.batch(kind, rows);
        requireEqual(exchange());
        requireEqual(exchangeWithSchema());
    }

    private void requireEqual(RecordBatch imported) {
        try (imported) {
            if (!imported.valuesEqual(batch)) {
                throw new AssertionError("what was imported has other values than what was exported");
            }
        }
    }

    @TearDown
    public void close() {
        batch.close();
        Balance.end();
    }

    @Benchmark
    public long schemaKnown() {
        try (RecordBatch imported = exchange()) {
            return imported.getRowCount();
        }
    }

    @Benchmark
    public long withSchema() {
        try (RecordBatch imported = exchangeWithSchema()) {
            return imported.getRowCount();
        }
    }

    private RecordBatch exchange() {
        try (CArrayStruct struct = CStruct.array();
                RecordBatch shared = batch.share()) {
            ArrowExport.exportBatch(shared, struct);
            return ArrowImport.importBatch(struct, batch.getSchema(), Validation.STRUCTURE);
        }
    }

    private RecordBatch exchangeWithSchema() {
        try (CArrayStruct struct = CStruct.array();
                CSchemaStruct schema = CStruct.schema();
                RecordBatch shared = batch.share()) {
            ArrowExport.exportBatch(shared, struct, schema);
            return ArrowImport.importBatch(struct, schema);
        }
    }
}
