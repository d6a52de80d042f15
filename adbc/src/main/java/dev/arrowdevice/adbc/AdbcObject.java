package dev.arrowdevice.adbc;

import dev.arrowdevice.adbc.internal.abi.DriverFunctions;
import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import dev.arrowdevice.adbc.internal.abi.Texts;
import dev.arrowdevice.spi.NativeAllocation;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a driver makes: a database, a connection or a statement. It may be used from several threads; one call waits for
 * the other. Whoever opens it closes it, in any order: an object closes those that were made of it first. Every other use
 * after that throws {@link IllegalStateException}.
 */
public abstract sealed class AdbcObject implements AutoCloseable permits AdbcDatabase, AdbcConnection, AdbcStatement {
    /** {@code AdbcDatabase}, {@code AdbcConnection} and {@code AdbcStatement} are {@code {private_data, private_driver}}. */
    private static final long SIZE = 16;

    private static final long PRIVATE_DRIVER = 8;
    private static final int FIRST_GUESS = 256;

    final NativeDriver driver;
    final CallLock lock;
    private final OptionFunctions options;
    private final NativeAllocation struct;
    private volatile boolean open = true;

    AdbcObject(NativeDriver driver, CallLock lock, OptionFunctions options) {
        this.driver = driver;
        this.lock = lock;
        this.options = options;
        this.struct = NativeAllocation.allocate(SIZE);
        struct.putLong(PRIVATE_DRIVER, driver.getStruct());
    }

    /** Whether it has not been closed. */
    public final boolean isOpen() {
        return open;
    }

    /** Sets an option that the specification has a name for. */
    public final <T> void setOption(AdbcOption<T> option, T value) {
        setAnyOption(option.getKey(), option.encode(value));
    }

    /** Sets an option to a text. */
    public final void setOption(String key, String value) {
        setAnyOption(key, value);
    }

    /** Sets an option of a driver of ADBC 1.1 to a number. */
    public final void setOption(String key, long value) {
        setAnyOption(key, value);
    }

    /** Sets an option of a driver of ADBC 1.1 to a number. */
    public final void setOption(String key, double value) {
        setAnyOption(key, value);
    }

    /** Sets an option of a driver of ADBC 1.1 to bytes. */
    public final void setOption(String key, byte[] value) {
        setAnyOption(key, value);
    }

    /** The value of an option that the specification has a name for, from a driver of ADBC 1.1. */
    public final <T> T getOption(AdbcOption<T> option) {
        return option.read(this);
    }

    /**
     * The text of an option, from a driver of ADBC 1.1.
     *
     * @throws AdbcException with {@link AdbcStatus#NOT_FOUND} if it is not set, or the driver has no such option
     */
    public final String getOption(String key) {
        byte[] bytes = read("GetOption", key, options::getText);
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--; // The size includes the NUL.
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** The bytes of an option, from a driver of ADBC 1.1. */
    public final byte[] getBytesOption(String key) {
        return read("GetOptionBytes", key, options::getBytes);
    }

    /** The number of an option, from a driver of ADBC 1.1. */
    public final long getLongOption(String key) {
        return call("getLongOption", () -> {
            try (Texts texts = new Texts();
                    NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
                long name = texts.of(key);
                driver.run(
                        options.kind() + "GetOptionInt",
                        (functions, error) -> options.getLong(functions, address(), name, out.getAddress(), error));
                return out.getLong(0);
            }
        });
    }

    /** The number of an option, from a driver of ADBC 1.1. */
    public final double getDoubleOption(String key) {
        return call("getDoubleOption", () -> {
            try (Texts texts = new Texts();
                    NativeAllocation out = NativeAllocation.allocate(Long.BYTES)) {
                long name = texts.of(key);
                driver.run(
                        options.kind() + "GetOptionDouble",
                        (functions, error) -> options.getDouble(functions, address(), name, out.getAddress(), error));
                return Double.longBitsToDouble(out.getLong(0));
            }
        });
    }

    private interface Getter {
        byte get(DriverFunctions functions, long object, long key, long out, long inOutSize, long error);
    }

    /** "If the driver's buffer is too small, the required size is written, and nothing else": asked again then. */
    private byte[] read(String function, String key, Getter getter) {
        return call("getOption", () -> {
            long room = FIRST_GUESS;
            while (true) {
                try (Texts texts = new Texts();
                        NativeAllocation out = NativeAllocation.allocate(room);
                        NativeAllocation size = NativeAllocation.ofLongs(room)) {
                    long name = texts.of(key);
                    driver.run(
                            options.kind() + function,
                            (functions, error) ->
                                    getter.get(functions, address(), name, out.getAddress(), size.getAddress(), error));
                    long needed = size.getLong(0);
                    if (needed <= room) {
                        return out.getBytes(0, (int) Math.max(needed, 0));
                    }
                    room = needed;
                }
            }
        });
    }

    final void setAnyOption(String key, Object value) {
        call("setOption", () -> {
            try (Texts texts = new Texts()) {
                long name = texts.of(key);
                if (value instanceof String) {
                    driver.getSecrets().note(key, (String) value);
                    long text = texts.of((String) value);
                    driver.run(
                            options.kind() + "SetOption",
                            (functions, error) -> options.setText(functions, address(), name, text, error));
                } else if (value instanceof Long) {
                    driver.run(
                            options.kind() + "SetOptionInt",
                            (functions, error) -> options.setLong(functions, address(), name, (Long) value, error));
                } else if (value instanceof Double) {
                    driver.run(
                            options.kind() + "SetOptionDouble",
                            (functions, error) -> options.setDouble(functions, address(), name, (Double) value, error));
                } else {
                    byte[] bytes = (byte[]) value;
                    driver.getSecrets().note(key, bytes);
                    long copy = texts.ofBytes(bytes);
                    driver.run(
                            options.kind() + "SetOptionBytes",
                            (functions, error) ->
                                    options.setBytes(functions, address(), name, copy, bytes.length, error));
                }
            }
            return null;
        });
    }

    /** The address of the struct. With the lock held, or while a cancel keeps the object open. */
    final long address() {
        return struct.getAddress();
    }

    /** Makes a call of the driver when all earlier ones of the connection have returned. */
    <R extends @Nullable Object> R call(String operation, Supplier<R> body) {
        return lock.call(operation, () -> {
            requireOpen(operation);
            return body.get();
        });
    }

    final void requireOpen(String operation) {
        if (!open) {
            throw new IllegalStateException(operation + ": the " + this + " has been closed");
        }
    }

    /** Makes the object in two steps. If the second one fails, nothing is left of the first. */
    final void initialise(String function, NativeDriver.Call first, Runnable second) {
        try {
            driver.run(function, first);
        } catch (Throwable e) {
            open = false;
            struct.close();
            throw e;
        }
        try {
            second.run();
        } catch (Throwable e) {
            try {
                release();
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /** The call of the driver that releases the object. */
    abstract NativeDriver.Call releaseCall();

    /** Releases the object. The struct's memory is freed also if that fails. Idempotent; with the lock held. */
    final void release() {
        if (open) {
            open = false;
            try {
                driver.run(options.kind() + "Release", releaseCall());
            } finally {
                struct.close();
            }
        }
    }

    /**
     * Closes what was made of this object, and then the object. Waits for a call that runs. Idempotent.
     *
     * @throws AdbcException if the driver reports an error; it is closed nevertheless
     */
    @Override
    public abstract void close();
}
