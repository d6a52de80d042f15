package consumer;

import dev.arrowdevice.ArrowCounters;
import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.CArrayStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.adbc.AdbcConnection;
import dev.arrowdevice.adbc.AdbcDatabase;
import dev.arrowdevice.adbc.AdbcDriver;
import dev.arrowdevice.adbc.AdbcErrorDetail;
import dev.arrowdevice.adbc.AdbcException;
import dev.arrowdevice.adbc.AdbcOption;
import dev.arrowdevice.adbc.AdbcOptions;
import dev.arrowdevice.adbc.IngestMode;
import dev.arrowdevice.adbc.IngestTarget;
import dev.arrowdevice.builder.RecordBatchBuilder;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CStructLayouts;
import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeFunctions.StructResult;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.spi.NativeMemory;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;

/**
 * What depends on the processor: where the members of structs are, and how functions are called in both directions. The
 * arguments are a name, for the line that this prints, and three libraries for the processor: the C peer of the tests,
 * their ADBC driver, and SQLite's ADBC driver.
 */
public final class OtherMachine {
    private static final long ROWS = 1_000;
    private static final Schema SCHEMA = Schema.of(
            Field.notNull("id", ArrowType.INT64),
            Field.nullable("name", ArrowType.UTF8),
            Field.nullable("score", ArrowType.FLOAT64));

    interface Peer {
        int peer_abi_layout(long outText);

        void peer_text_free(long text);
    }

    interface CLibrary {
        /** {@code ldiv_t}, of 16 bytes, comes back in registers. */
        @StructResult(longs = 2)
        void ldiv(long outResult, long number, long by);

        int pthread_create(long outThread, long attributes, long routine, long argument);

        int pthread_join(long thread, long outResult);
    }

    private OtherMachine() {}

    public static void main(String[] arguments) {
        int layouts = compareLayouts(bind(arguments[1], Peer.class));
        exchangeWithSqlite(arguments[3]);
        readErrorDetails(arguments[2]);
        CLibrary libc = bind("libc.so.6", CLibrary.class);
        returnStructInRegisters(libc);
        releaseOnForeignThread(libc);
        ArrowCounters counters = ArrowCounters.now();
        check(counters.unreleased() == 0 && counters.hostBuffers() == 0, counters);
        System.out.println(arguments[0] + ": " + layouts + " lines of struct layouts, " + ROWS
                + " rows to SQLite and back, structs by value, a release on a foreign thread; nothing is unreleased; Java "
                + Runtime.version().feature() + " on " + System.getProperty("os.arch") + ", emulated");
    }

    /** Against what a C compiler for this processor makes of Arrow's header. */
    private static int compareLayouts(Peer peer) {
        StringBuilder ours = new StringBuilder();
        for (StructLayout struct : List.of(
                CStructLayouts.SCHEMA,
                CStructLayouts.ARRAY,
                CStructLayouts.DEVICE_ARRAY,
                CStructLayouts.ARRAY_STREAM,
                CStructLayouts.DEVICE_ARRAY_STREAM,
                CStructLayouts.ASYNC_TASK,
                CStructLayouts.ASYNC_PRODUCER,
                CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER)) {
            String name = struct.name().orElseThrow();
            ours.append(name + " " + struct.byteSize() + "\n");
            struct.memberLayouts().stream()
                    .filter(member -> !(member instanceof PaddingLayout))
                    .map(member -> member.name().orElseThrow())
                    .forEach(member -> ours.append(name + "." + member + " "
                            + struct.byteOffset(PathElement.groupElement(member)) + "\n"));
        }
        try (NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
            check(peer.peer_abi_layout(out.getAddress()) == 0, "peer_abi_layout");
            String theirs = NativeMemory.getString(out.getLong(0), 1 << 16);
            peer.peer_text_free(out.getLong(0));
            check(theirs.contentEquals(ours), "we have\n" + ours + "and the compiler\n" + theirs);
        }
        return (int) ours.chars().filter(c -> c == '\n').count();
    }

    /** The driver calls our stream and releases what it took; then we read its stream and release that. */
    private static void exchangeWithSqlite(String library) {
        try (AdbcDriver driver = AdbcDriver.find(library);
                AdbcDatabase database = driver.open(new AdbcOptions().set(AdbcOption.URI, ":memory:"));
                AdbcConnection connection = database.connect()) {
            DeviceArrayStream rows = DeviceArrayStream.of(SCHEMA, List.of(batch(0), batch(ROWS / 2)));
            check(connection.ingest(IngestTarget.table("t", IngestMode.CREATE), rows) == ROWS, "rows ingested");
            check(ArrowCounters.now().unreleased() == 0, "the driver did not release our stream");
            long row = 0;
            try (DeviceArrayStream result = connection.executeQuery("SELECT id, name, score FROM t ORDER BY id")) {
                while (true) {
                    try (RecordBatch batch = result.nextBatch()) {
                        if (batch == null) {
                            break;
                        }
                        for (long i = 0; i < batch.getRowCount(); i++, row++) {
                            check(batch.column("id").getLong(i) == row, row);
                            check(batch.column("name").isNull(i) == (name(row) == null), row);
                            check(name(row) == null || batch.column("name").getString(i).equals(name(row)), row);
                            check(batch.column("score").getDouble(i) == row / 8.0, row);
                        }
                    }
                }
            }
            check(row == ROWS, row + " rows");
        }
    }

    private static RecordBatch batch(long from) {
        try (RecordBatchBuilder builder = RecordBatchBuilder.of(SCHEMA)) {
            for (long row = from; row < from + ROWS / 2; row++) {
                builder.appendRow(row, name(row), row / 8.0);
            }
            return builder.finish();
        }
    }

    private static String name(long row) {
        return row % 3 == 0 ? null : "Zoë " + row;
    }

    /** {@code AdbcErrorDetail}, of 24 bytes, comes back through memory whose address the caller passes. */
    private static void readErrorDetails(String library) {
        try (AdbcDriver driver = AdbcDriver.find(library);
                AdbcDatabase database = driver.open(new AdbcOptions());
                AdbcConnection connection = database.connect()) {
            connection.executeQuery("bad").close();
            throw new AssertionError("the query did not fail");
        } catch (AdbcException e) {
            List<AdbcErrorDetail> expected = List.of(
                    new AdbcErrorDetail("text", "no such table: bad".getBytes()),
                    new AdbcErrorDetail("code-bin", new byte[] {0, 1, 2}));
            check(e.getDetails().equals(expected), e.getDetails());
        }
    }

    private static void returnStructInRegisters(CLibrary libc) {
        try (NativeAllocation result = NativeAllocation.ofLongs(0, 0, -1)) {
            libc.ldiv(result.getAddress(), 1_000_000_000_007L, 1_000);
            check(result.getLong(0) == 1_000_000_000 && result.getLong(8) == 7 && result.getLong(16) == -1, "ldiv");
        }
    }

    /** A thread that the JVM does not know begins with our callback. */
    private static void releaseOnForeignThread(CLibrary libc) {
        try (CArrayStruct array = CStruct.array();
                NativeAllocation thread = NativeAllocation.ofLongs(0)) {
            ArrowExport.exportBatch(batch(0), array);
            long struct = array.getAddress();
            check(libc.pthread_create(thread.getAddress(), 0, CArray.release(struct), struct) == 0, "pthread_create");
            check(libc.pthread_join(thread.getLong(0), 0) == 0, "pthread_join");
            check(CArray.release(struct) == 0, "the array is live");
        }
    }

    private static <T> T bind(String library, Class<T> functions) {
        NativeLibrary opened = library.contains("/")
                ? NativeLibrary.search(library).files(List.of(Path.of(library))).open()
                : NativeLibrary.search(library).names(List.of(library)).open();
        return opened.bind(MethodHandles.lookup(), functions).getCalls();
    }

    private static void check(boolean right, Object otherwise) {
        if (!right) {
            throw new AssertionError(otherwise);
        }
    }
}
