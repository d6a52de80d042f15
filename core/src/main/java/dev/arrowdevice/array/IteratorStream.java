package dev.arrowdevice.array;

import dev.arrowdevice.memory.DeviceType;
import dev.arrowdevice.type.Field;
import org.jspecify.annotations.Nullable;

/** A stream made in this process: checks what the source gives, and ends for good at the first end. */
abstract class IteratorStream extends DeviceArrayStream {
    private final Field field;
    private final int deviceType;
    private final AutoCloseable close;
    private boolean ended;
    private boolean closed;

    IteratorStream(Field field, int deviceType, AutoCloseable close) {
        this.field = field;
        this.deviceType = deviceType;
        this.close = close;
    }

    /** The next array of the source, null at the end. */
    abstract @Nullable DeviceArray produce();

    @Override
    public final int deviceType() {
        return deviceType;
    }

    @Override
    public final Field field() {
        return field;
    }

    @Override
    public final @Nullable DeviceArray nextArray() {
        if (closed) {
            throw new IllegalStateException("nextArray: the stream has been closed");
        }
        if (ended) {
            return null;
        }
        DeviceArray array = produce();
        if (array == null) {
            ended = true;
            return null;
        }
        String mismatch = null;
        if (!array.type().equals(field.type())) {
            mismatch = "an array of type " + array.type() + " in a stream of " + field.type();
        } else if (array.device().type() != deviceType) {
            mismatch = "an array on " + array.device() + " in a stream on " + DeviceType.name(deviceType);
        }
        if (mismatch != null) {
            array.close();
            throw new IllegalArgumentException(mismatch);
        }
        return array;
    }

    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            close.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("closing the source of the stream failed", e);
        }
    }
}
