package dev.arrowdevice.adbc;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import org.jspecify.annotations.Nullable;

/** A stream that a driver reads: while it waits for an array, its connection knows. */
final class BoundStream extends DeviceArrayStream {
    private final DeviceArrayStream source;
    private final CallLock lock;

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
        return lock.pulling(source::nextArray);
    }

    @Override
    protected void closeSource() {
        source.close();
    }
}
