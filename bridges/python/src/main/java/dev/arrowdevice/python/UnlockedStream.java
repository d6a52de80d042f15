package dev.arrowdevice.python;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import org.jspecify.annotations.Nullable;

/** A stream that releases the global interpreter lock while it gets an array and while it is closed. */
final class UnlockedStream extends DeviceArrayStream {
    private final DeviceArrayStream source;
    private final Gil gil;

    UnlockedStream(DeviceArrayStream source, Gil gil) {
        this.source = source;
        this.gil = gil;
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
        long state = gil.giveUp();
        try {
            return source.nextArray();
        } finally {
            gil.restore(state);
        }
    }

    @Override
    protected void closeSource() {
        long state = gil.giveUp();
        try {
            source.close();
        } finally {
            gil.restore(state);
        }
    }
}
