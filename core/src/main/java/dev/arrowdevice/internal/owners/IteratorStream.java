package dev.arrowdevice.internal.owners;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A stream that is made in this process. Checks the arrays of its source. */
public final class IteratorStream extends DeviceArrayStream {
    private final Field field;
    private final int deviceType;
    private final Iterator<DeviceArray> arrays;
    private final AutoCloseable close;

    public IteratorStream(Field field, int deviceType, Iterator<DeviceArray> arrays, AutoCloseable close) {
        this.field = field;
        this.deviceType = deviceType;
        this.arrays = arrays;
        this.close = close;
    }

    @Override
    public int getDeviceType() {
        return deviceType;
    }

    @Override
    public Field getField() {
        return field;
    }

    @Override
    protected @Nullable DeviceArray pull() {
        if (!arrays.hasNext()) {
            return null;
        }
        DeviceArray array = arrays.next();
        String mismatch = null;
        if (!array.getType().equals(field.type())) {
            mismatch = "an array of type " + array.getType() + " in a stream of " + field.type()
                    + (array.getType().toString().equals(field.type().toString())
                            ? " (the metadata of their fields differs)"
                            : "");
        } else if (array.getDevice().type() != deviceType) {
            mismatch = "an array on " + array.getDevice() + " in a stream on " + DeviceType.name(deviceType);
        }
        if (mismatch != null) {
            array.close();
            throw new IllegalArgumentException(mismatch);
        }
        return array;
    }

    @Override
    protected void closeSource() {
        try {
            close.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("closing the source of the stream failed", e);
        }
    }
}
