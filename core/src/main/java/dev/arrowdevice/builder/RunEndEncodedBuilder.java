package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Builds run-end encoded arrays. A value, or null, that equals the last one makes its run longer. It is an error to append
 * more elements than the type of the run ends can count.
 */
final class RunEndEncodedBuilder extends ArrayBuilder {
    private final NumberBuilder runEnds;
    private final ArrayBuilder values;
    private long length;

    /** The value of the open run, as a key; null for a run of nulls. */
    private @Nullable Object lastKey;

    RunEndEncodedBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        RunEndEncodedType type = (RunEndEncodedType) field.type().storageType();
        this.runEnds = new NumberBuilder(type.runEnds(), memory, this);
        this.values = Builders.of(type.values(), memory, this);
    }

    @Override
    public long getLength() {
        return length;
    }

    @Override
    public long getStoredLength() {
        return values.getLength();
    }

    @Override
    public void appendRun(@Nullable Object value, long count) {
        if (count < 0) {
            throw place.fail("a run of " + count + " elements");
        }
        if (count > 0) {
            requireCountable(count);
            append(value);
            length += count - 1;
        }
    }

    @Override
    boolean appendValue(Object value) {
        requireCountable(1);
        Object key = Keys.of(values, value);
        if (length == 0 || !key.equals(lastKey)) {
            memory.requireOpen("append");
            runEnds.makeRoomForNext();
            if (!values.appendValue(value)) {
                return false;
            }
            startRun(key);
        }
        length++;
        return true;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        return values.keyOf(value);
    }

    @Override
    void putNull() {
        requireCountable(1);
        if (length == 0 || lastKey != null) {
            memory.requireOpen("append");
            runEnds.makeRoomForNext();
            values.appendNull();
            startRun(null);
        }
        length++;
    }

    @Override
    void putFiller() {
        if (values.place.isNullable()) {
            putNull();
        } else {
            putEmpty();
        }
    }

    @Override
    void putEmpty() {
        requireCountable(1);
        runEnds.makeRoomForNext();
        values.putEmpty();
        startRun(new Object()); // Equal to no value, so that the next one starts a run.
        length++;
    }

    /** Ends the run before the value that has just been appended. There is room for it. */
    private void startRun(@Nullable Object key) {
        if (length > 0) {
            runEnds.append(length);
        }
        lastKey = key;
    }

    private void requireCountable(long more) {
        if (length > runEnds.max() - more) {
            throw place.fail("more than " + runEnds.max() + " elements, which run ends of " + runEnds.getType()
                    + " can't count");
        }
    }

    @Override
    long settle() {
        values.settle();
        return length;
    }

    @Override
    void makeRoom(long elements) {}

    @Override
    ArrayData build() {
        if (length > 0) {
            runEnds.append(length);
        }
        return data(0, new @Nullable DeviceBuffer[0], runEnds.build(), values.build());
    }

    @Override
    void reset() {
        runEnds.reset();
        values.reset();
        lastKey = null;
        length = 0;
    }
}
