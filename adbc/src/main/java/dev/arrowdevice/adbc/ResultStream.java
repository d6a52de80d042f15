package dev.arrowdevice.adbc;

import dev.arrowdevice.CArrayStreamStruct;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import dev.arrowdevice.adbc.internal.abi.NativeDriver;
import dev.arrowdevice.spi.ForeignStreams;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A result: its calls wait for those of its connection, and it ends with what it came from. */
final class ResultStream extends DeviceArrayStream {
    private final AdbcObject origin;
    private final DeviceArrayStream source;
    private final Field field;
    /** Closed with this result, because only this result knows it. */
    private final @Nullable AdbcStatement ownStatement;
    /** With the lock held. */
    private boolean released;
    /** Whether it was read to its end, or failed. With the lock held. */
    private boolean ended;

    private ResultStream(AdbcObject origin, DeviceArrayStream source, @Nullable AdbcStatement ownStatement) {
        this.origin = origin;
        this.source = source;
        this.field = source.getField();
        this.ownStatement = ownStatement;
    }

    /**
     * Imports the stream that a call puts into a struct. With the lock held.
     *
     * @param origin the connection or statement that it is a result of
     */
    static ResultStream of(NativeDriver driver, AdbcObject origin, Validation validation, LongConsumer call) {
        return of(driver, origin, null, validation, call);
    }

    static ResultStream of(
            NativeDriver driver,
            AdbcObject origin,
            @Nullable AdbcStatement ownStatement,
            Validation validation,
            LongConsumer call) {
        try (CArrayStreamStruct out = CStruct.arrayStream()) {
            call.accept(out.getAddress());
            // A driver may leave nothing where there is no result.
            DeviceArrayStream source = out.isLive()
                    ? ForeignStreams.importStream(out, validation, driver)
                    : DeviceArrayStream.of(Schema.of(List.of()), List.of());
            return new ResultStream(origin, source, ownStatement);
        }
    }

    @Override
    public int getDeviceType() {
        return DeviceType.CPU;
    }

    @Override
    public Field getField() {
        return field;
    }

    @Override
    protected @Nullable DeviceArray pull() {
        return origin.call("nextArray", () -> {
            if (released) {
                throw new IllegalStateException("nextArray: the " + origin
                        + " has been closed or executed again, which ends the results that it had before");
            }
            ended = true;
            // Parameters may be read while the result is.
            DeviceArray next = origin instanceof AdbcStatement
                    ? ((AdbcStatement) origin).<@Nullable DeviceArray>whileBound(source::nextArray)
                    : source.nextArray();
            ended = next == null;
            return next;
        });
    }

    @Override
    protected void closeSource() {
        origin.lock.release(ownStatement != null ? ownStatement::close : this::releaseSource);
    }

    /** Whether the driver may have more of it. With the lock held. */
    boolean isUnread() {
        return !ended;
    }

    /** Releases the driver's stream, whoever still has this one. With the lock held, also by what it came from. */
    void releaseSource() {
        if (!released) {
            released = true;
            if (origin instanceof AdbcStatement) {
                ((AdbcStatement) origin).forget(this, ended);
            } else {
                ((AdbcConnection) origin).forget(this);
            }
            source.close();
        }
    }
}
