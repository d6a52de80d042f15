package dev.arrowdevice.adbc;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a driver and its database say of themselves. */
public final class AdbcInfo {
    private static final int VENDOR_NAME = 0;
    private static final int VENDOR_VERSION = 1;
    private static final int DRIVER_NAME = 100;
    private static final int DRIVER_VERSION = 101;
    private static final int DRIVER_ARROW_VERSION = 102;

    private final Map<Long, @Nullable Object> values;

    AdbcInfo(Map<Long, @Nullable Object> values) {
        this.values = new TreeMap<>(values);
    }

    /** The name of the database, such as {@code PostgreSQL}. */
    public @Nullable String getVendorName() {
        return text(VENDOR_NAME);
    }

    /** The version of the database. */
    public @Nullable String getVendorVersion() {
        return text(VENDOR_VERSION);
    }

    /** The name of the driver. */
    public @Nullable String getDriverName() {
        return text(DRIVER_NAME);
    }

    /** The version of the driver. */
    public @Nullable String getDriverVersion() {
        return text(DRIVER_VERSION);
    }

    /** The version of the Arrow library in the driver. */
    public @Nullable String getDriverArrowVersion() {
        return text(DRIVER_ARROW_VERSION);
    }

    /**
     * The value of an info code, {@code ADBC_INFO_…}: a String, Boolean, Long, Integer, List or List of entries; null if
     * the driver does not have it.
     */
    public @Nullable Object get(long code) {
        return values.get(code);
    }

    /** All values by their codes, in order. */
    public Map<Long, @Nullable Object> asMap() {
        return new TreeMap<>(values);
    }

    private @Nullable String text(long code) {
        Object value = values.get(code);
        return value instanceof String ? (String) value : null;
    }

    @Override
    public String toString() {
        return getVendorName() + " " + getVendorVersion() + ", by " + getDriverName() + " " + getDriverVersion();
    }
}
