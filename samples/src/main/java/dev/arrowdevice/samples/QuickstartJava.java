package dev.arrowdevice.samples;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.builder.RecordBatchBuilder;
import dev.arrowdevice.samples.duckdb.DuckDb;
import dev.arrowdevice.samples.duckdb.DuckDbConnection;
import dev.arrowdevice.samples.duckdb.StreamRegistration;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The quickstart in short, from Java. It reads the flights of a DuckDB query as a stream of batches, and passes a batch
 * that was built in Java to DuckDB, which joins the two. Neither direction copies the data.
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
        try (DuckDb database = DuckDb.openInMemory();
                DuckDbConnection duck = database.connect()) {
            String file = data.resolve("flights.parquet").toString();
            duck.execute("CREATE VIEW flights AS FROM " + DuckDbConnection.literal(file));
            fromDuckDb(duck, out);
            toDuckDb(duck, out);
        }
        ArrowCounters after = ArrowCounters.now();
        long arrays = after.exchangedArrays() - before.exchangedArrays();
        out.println(arrays + " arrays exchanged, " + after.unreleased() + " unreleased");
    }

    /** DuckDB's result arrives as batches, in the memory that DuckDB wrote. */
    private static void fromDuckDb(DuckDbConnection duck, PrintStream out) {
        long flights = 0;
        long cancelled = 0;
        try (DeviceArrayStream stream = query(duck, "SELECT dep_delay FROM flights")) {
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

    /** DuckDB scans our batch, in the memory that we wrote, and joins it with the flights. */
    private static void toDuckDb(DuckDbConnection duck, PrintStream out) {
        RecordBatch trips = trips();
        try (DeviceArrayStream stream = DeviceArrayStream.of(trips.getSchema(), List.of(trips))) {
            ArrowExport.exportStream(stream, struct -> join(duck, struct.getAddress(), out));
        }
    }

    @SuppressWarnings("try") // the registration is there to be closed
    private static void join(DuckDbConnection duck, long trips, PrintStream out) {
        try (StreamRegistration registration = duck.register("trips", trips);
                DeviceArrayStream answer = query(duck, DELAYS_OF_TRIPS);
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

    private static DeviceArrayStream query(DuckDbConnection duck, String sql) {
        return ArrowImport.importStream(stream -> duck.query(sql, stream.getAddress()));
    }
}
