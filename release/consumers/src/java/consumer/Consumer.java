package consumer;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.builder.RecordBatchBuilder;
import java.util.List;

/**
 * Builds a batch, reads it, and streams it within the JVM; with a second argument, {@code exchange}, over the C stream
 * interface too. Prints one line that begins with the first argument.
 */
public final class Consumer {
    private static final Schema SCHEMA =
            Schema.of(Field.notNull("id", ArrowType.INT64), Field.nullable("name", ArrowType.UTF8));

    private Consumer() {}

    public static void main(String[] arguments) {
        String done = "built, read and streamed";
        check(sum(stream()) == 6);
        if (arguments.length > 1 && arguments[1].equals("exchange")) {
            check(sum(ArrowImport.importStream(struct -> ArrowExport.exportStream(stream(), struct))) == 6);
            done = "built, read, streamed and exchanged";
        }
        check(ArrowCounters.now().unreleased() == 0);
        System.out.println(arguments[0] + ": " + done + " on Java " + Runtime.version().feature());
    }

    private static DeviceArrayStream stream() {
        try (RecordBatchBuilder builder = RecordBatchBuilder.of(SCHEMA)) {
            builder.appendRow(1L, "Ada");
            builder.appendRow(2L, null);
            builder.appendRow(3L, "Alan");
            return DeviceArrayStream.of(SCHEMA, List.of(builder.finish()));
        }
    }

    private static long sum(DeviceArrayStream stream) {
        long sum = 0;
        try (stream) {
            while (true) {
                try (RecordBatch batch = stream.nextBatch()) {
                    if (batch == null) {
                        return sum;
                    }
                    check(batch.column("name").isNull(1));
                    check(batch.column("name").getString(2).equals("Alan"));
                    for (long row = 0; row < batch.getRowCount(); row++) {
                        sum += batch.column("id").getLong(row);
                    }
                }
            }
        }
    }

    private static void check(boolean right) {
        if (!right) {
            throw new AssertionError(ArrowCounters.now().toString());
        }
    }
}
