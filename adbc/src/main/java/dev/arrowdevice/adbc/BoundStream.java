package dev.arrowdevice.adbc;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import org.jspecify.annotations.Nullable;

/**
 * A stream that a driver reads. While the driver waits for an array, its connection knows; and if the stream fails, its
 * statement does, because a driver may take a failure for the end of the rows.
 */
final class BoundStream extends DeviceArrayStream {
    private final DeviceArrayStream source;
    private final CallLock lock;
    private volatile @Nullable Throwable failure;

    BoundStream(DeviceArrayStream source, CallLock lock) {
        this.source = source;
        this.lock = lock;
    }

    @Override
    public int getDeviceType() {
        return source.getDeviceType();
    }

    @Override
    public Field getField() {
        return source.getField();
    }

    @Override
    protected @Nullable DeviceArray pull() {
        try {
            return lock.pulling(source::nextArray);
        } catch (Throwable e) {
            failure = e;
            throw e;
        }
    }

    /** How the stream failed, null if it did not. */
    @Nullable
    Throwable getFailure() {
        return failure;
    }

    @Override
    protected void closeSource() {
        // The driver calls this, so what it closes must not call the driver.
        lock.pulling(() -> {
            source.close();
            return null;
        });
    }
}
