package dev.arrowdevice.adbc;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** A key and a value that a driver of ADBC 1.1 adds to an error. What they mean is the driver's own. */
public final class AdbcErrorDetail {
    private final String key;
    private final byte[] value;

    /** Copies the value. */
    public AdbcErrorDetail(String key, byte[] value) {
        this.key = key;
        this.value = value.clone();
    }

    /** The key. If it ends in {@code -bin}, the value is binary; otherwise it is text. */
    public String getKey() {
        return key;
    }

    /** A copy of the value. */
    public byte[] getValue() {
        return value.clone();
    }

    /** The value as text in UTF-8. */
    public String getText() {
        return new String(value, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AdbcErrorDetail
                && key.equals(((AdbcErrorDetail) other).key)
                && Arrays.equals(value, ((AdbcErrorDetail) other).value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, Arrays.hashCode(value));
    }

    /** The key, and the value if it is text. */
    @Override
    public String toString() {
        return key + (key.endsWith("-bin") ? " (" + value.length + " bytes)" : ": " + getText());
    }
}
