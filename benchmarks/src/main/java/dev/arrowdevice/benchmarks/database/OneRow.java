package dev.arrowdevice.benchmarks.database;

import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.adbc.AdbcConnection;
import dev.arrowdevice.adbc.AdbcDatabase;
import dev.arrowdevice.adbc.AdbcDriver;
import dev.arrowdevice.adbc.AdbcOptions;
import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A query of one row of a SQLite in memory, from its statement to its last release: what calls cost, and not rows. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class OneRow {
    private static final String SQL = "SELECT 42";

    private ReleaseBalance balance;
    private AdbcDriver driver;
    private AdbcDatabase database;
    private AdbcConnection connection;
    private Connection jdbcConnection;
    private CAdbc inC;
    private long result;

    @Setup
    public void connect() throws IOException, SQLException {
        balance = ReleaseBalance.start();
        Path drivers = Database.Companion.getDRIVERS();
        driver = AdbcDriver.find("sqlite", null, List.of(drivers));
        database = driver.open(new AdbcOptions());
        connection = database.connect();
        jdbcConnection = DriverManager.getConnection("jdbc:sqlite::memory:");
        inC = new CAdbc(libraryOf(drivers.resolve("sqlite.toml")), "AdbcDriverSqliteInit", SQL);
    }

    private static Path libraryOf(Path manifest) throws IOException {
        return Path.of(Files.readString(manifest).split("\"")[1]);
    }

    @TearDown
    public void check() throws SQLException {
        inC.close();
        jdbcConnection.close();
        connection.close();
        database.close();
        driver.close();
        balance.verify();
        Outcome.require(42, result);
    }

    @Benchmark
    public long adbc() {
        try (DeviceArrayStream rows = connection.executeQuery(SQL)) {
            long value;
            try (RecordBatch batch = rows.nextBatch()) {
                value = batch.column(0).getLong(0);
            }
            if (rows.nextBatch() != null) {
                throw new AssertionError("another batch");
            }
            return result = value;
        }
    }

    @Benchmark
    public long inC() {
        return result = inC.query();
    }

    @Benchmark
    public long jdbc() throws SQLException {
        try (Statement statement = jdbcConnection.createStatement();
                ResultSet rows = statement.executeQuery(SQL)) {
            rows.next();
            long value = rows.getLong(1);
            rows.next();
            return result = value;
        }
    }
}
