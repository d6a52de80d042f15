package dev.arrowdevice.benchmarks.exchange;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CSchemaStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.Field;
import dev.arrowdevice.Schema;
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
 * Export, import and release of one schema by arrow-device.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SchemaRoundTrip {
    @Param("COLUMNS_100")
    public Kind kind;

    private Schema schema;

    @Setup
    public void build() {
        Balance.begin();
        schema = Schema.fromStruct(Field.notNull("", kind.type));
        if (!exchange().equals(schema)) {
            throw new AssertionError("what was imported is not what was exported");
        }
    }

    @TearDown
    public void close() {
        Balance.end();
    }

    @Benchmark
    public Schema exchange() {
        try (CSchemaStruct struct = CStruct.schema()) {
            ArrowExport.exportSchema(schema, struct);
            return ArrowImport.importSchema(struct);
        }
    }
}
