package dev.arrowdevice.adbc;

import java.util.function.Function;

/**
 * An option that the specification of ADBC has a name for, with the type of its values. Drivers have more, which are set
 * by their names.
 *
 * @param <T> the type of the values
 */
public final class AdbcOption<T> {
    /** Where the database is: a URI. For a database. */
    public static final AdbcOption<String> URI = text("uri");
    /** The name of the user. For a database. */
    public static final AdbcOption<String> USERNAME = text("username");
    /** The password of the user; in no message. For a database. */
    public static final AdbcOption<String> PASSWORD = text("password");

    /** Whether each statement is a transaction of its own, which is the default. For a connection. */
    public static final AdbcOption<Boolean> AUTOCOMMIT = bool("adbc.connection.autocommit");
    /** Whether the connection must not write. For a connection. */
    public static final AdbcOption<Boolean> READ_ONLY = bool("adbc.connection.readonly");
    /** The current catalog. For a connection. */
    public static final AdbcOption<String> CATALOG = text("adbc.connection.catalog");
    /** The current schema of the database. For a connection. */
    public static final AdbcOption<String> DB_SCHEMA = text("adbc.connection.db_schema");
    /** How transactions are isolated. For a connection. */
    public static final AdbcOption<IsolationLevel> ISOLATION_LEVEL =
            isolation("adbc.connection.transaction.isolation_level");

    /** Whether {@code executePartitions} may return before the query has ended. For a statement. */
    public static final AdbcOption<Boolean> INCREMENTAL = bool("adbc.statement.exec.incremental");
    /**
     * How far the query is, from 0 to {@link #MAX_PROGRESS}. Read from a statement, between the calls of
     * {@code executePartitions} that {@link #INCREMENTAL} makes short: a read waits for the call that runs.
     */
    public static final AdbcOption<Double> PROGRESS = number("adbc.statement.exec.progress");
    /** The value of {@link #PROGRESS} when the query has ended. Read from a statement. */
    public static final AdbcOption<Double> MAX_PROGRESS = number("adbc.statement.exec.max_progress");

    private final String key;
    private final Function<T, Object> encode;
    private final Function<AdbcObject, T> read;

    private AdbcOption(String key, Function<T, Object> encode, Function<AdbcObject, T> read) {
        this.key = key;
        this.encode = encode;
        this.read = read;
    }

    private static AdbcOption<String> text(String key) {
        return new AdbcOption<>(key, value -> value, object -> object.getOption(key));
    }

    private static AdbcOption<Boolean> bool(String key) {
        return new AdbcOption<>(key, String::valueOf, object -> Boolean.valueOf(object.getOption(key)));
    }

    private static AdbcOption<Double> number(String key) {
        return new AdbcOption<>(key, value -> value, object -> object.getDoubleOption(key));
    }

    private static AdbcOption<IsolationLevel> isolation(String key) {
        return new AdbcOption<>(
                key, IsolationLevel::getOptionValue, object -> IsolationLevel.of(object.getOption(key)));
    }

    /** The name of the option, such as {@code adbc.connection.autocommit}. */
    public String getKey() {
        return key;
    }

    /** The value as a driver takes it: a text or a number. */
    Object encode(T value) {
        return encode.apply(value);
    }

    /** Reads the value from an object. */
    T read(AdbcObject object) {
        return read.apply(object);
    }

    @Override
    public String toString() {
        return key;
    }
}
