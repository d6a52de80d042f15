package dev.arrowdevice.adbc;

import dev.arrowdevice.adbc.internal.abi.Secrets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options with which a database or a connection is opened, in order. They are set before the database or connection
 * is initialised, for some can't be set later. For one thread.
 */
public final class AdbcOptions {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** No options. */
    public AdbcOptions() {}

    /** Sets an option that the specification has a name for. */
    public <T> AdbcOptions set(AdbcOption<T> option, T value) {
        return put(option.getKey(), option.encode(value));
    }

    /** Sets an option of a driver to a text. */
    public AdbcOptions set(String key, String value) {
        return put(key, value);
    }

    /** Sets an option of a driver of ADBC 1.1 to a number. */
    public AdbcOptions set(String key, long value) {
        return put(key, value);
    }

    /** Sets an option of a driver of ADBC 1.1 to a number. */
    public AdbcOptions set(String key, double value) {
        return put(key, value);
    }

    /** Sets an option of a driver of ADBC 1.1 to bytes. */
    public AdbcOptions set(String key, byte[] value) {
        return put(key, value.clone());
    }

    private AdbcOptions put(String key, Object value) {
        values.put(key, value);
        return this;
    }

    void applyTo(AdbcObject object) {
        values.forEach(object::setAnyOption);
    }

    /** The names of the options, and the values that are no secrets. */
    @Override
    public String toString() {
        Secrets secrets = new Secrets();
        StringBuilder text = new StringBuilder("AdbcOptions(");
        values.forEach((key, value) -> secrets.note(key, String.valueOf(value)));
        values.forEach((key, value) -> text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ")
                .append(key)
                .append('=')
                .append(value instanceof byte[] ? ((byte[]) value).length + " bytes" : secrets.hide(value.toString())));
        return text.append(')').toString();
    }
}
