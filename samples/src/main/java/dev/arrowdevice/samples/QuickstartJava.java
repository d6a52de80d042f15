package dev.arrowdevice.samples;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.adbc.AdbcConnection;
import dev.arrowdevice.adbc.AdbcDatabase;
import dev.arrowdevice.adbc.AdbcDriver;
import dev.arrowdevice.adbc.AdbcOptions;
import dev.arrowdevice.adbc.IngestMode;
import dev.arrowdevice.adbc.IngestTarget;
import dev.arrowdevice.builder.RecordBatchBuilder;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The quickstart in short, from Java. It reads the flights of a DuckDB query as a stream of batches, and writes a batch
 * that was built in Java into a table of DuckDB, which joins the two.
 */
public final class QuickstartJava {
    private static final String DELAYS_OF_TRIPS = """
            SELECT t.traveller, t.destination, count(f.flight) AS flights, round(avg(f.arr_delay), 1) AS delay_minutes,
                   (t.hour_value * avg(f.arr_delay)::DECIMAL(6, 2) / 60)::DECIMAL(9, 2) AS delay_cost
            FROM trips t
            LEFT JOIN flights f
                   ON f.dest = t.destination AND (t.carriers IS NULL OR list_contains(t.carriers, f.carrier))
            GROUP BY t.traveller, t.destination, t.hour_value
            ORDER BY t.traveller""";

    private QuickstartJava() {}

    /** Runs the sample; its one argument is the folder with the data set, {@code samples/data} if it is missing. */
    public static void main(String[] args) {
        run(Path.of(args.length > 0 ? args[0] : "samples/data"), System.out);
    }

    static void run(Path data, PrintStream out) {
        ArrowCounters before = ArrowCounters.now();
        try (AdbcDriver driver = AdbcDriver.find("duckdb");
                AdbcDatabase database = driver.open(new AdbcOptions());
                AdbcConnection duck = database.connect()) {
            String file = data.resolve("flights.parquet").toString().replace("'", "''");
            duck.executeUpdate("CREATE VIEW flights AS FROM '" + file + "'");
            fromDuckDb(duck, out);
            toDuckDb(duck, out);
        }
        ArrowCounters after = ArrowCounters.now();
        long arrays = after.exchangedArrays() - before.exchangedArrays();
        out.println(arrays + " arrays exchanged, " + after.unreleased() + " unreleased");
    }

    /** DuckDB's result arrives as batches, in the memory that DuckDB wrote. */
    private static void fromDuckDb(AdbcConnection duck, PrintStream out) {
        long flights = 0;
        long cancelled = 0;
        try (DeviceArrayStream stream = duck.executeQuery("SELECT dep_delay FROM flights")) {
            while (true) {
                try (RecordBatch batch = stream.nextBatch()) {
                    if (batch == null) {
                        break;
                    }
                    flights += batch.getRowCount();
                    cancelled += batch.column("dep_delay").getNullCount();
                }
            }
        }
        out.printf(Locale.ROOT, "%,d flights, %,d of them cancelled%n%n", flights, cancelled);
    }

    /** DuckDB copies the rows of our batch into a table, and joins it with the flights. */
    private static void toDuckDb(AdbcConnection duck, PrintStream out) {
        try (RecordBatch trips = trips()) {
            duck.ingest(IngestTarget.table("trips", IngestMode.CREATE), trips);
        }
        try (DeviceArrayStream answer = duck.executeQuery(DELAYS_OF_TRIPS);
                RecordBatch table = answer.nextBatch()) {
            out.println(table);
        }
    }

    private static RecordBatch trips() {
        Schema schema = Schema.of(
                Field.notNull("traveller", ArrowType.UTF8),
                Field.notNull("destination", ArrowType.UTF8),
                Field.nullable("carriers", ArrowType.list(ArrowType.UTF8)),
                Field.nullable("hour_value", ArrowType.decimal128(6, 2)));
        try (RecordBatchBuilder builder = RecordBatchBuilder.of(schema)) {
            builder.appendRow("Ada", "ORD", List.of("UA", "AA"), new BigDecimal("85.00"));
            builder.appendRow("Alan", "LAX", null, new BigDecimal("120.50"));
            builder.appendRow("Grace", "SFO", List.of("VX", "B6", "DL"), null);
            return builder.finish();
        }
    }
}
