package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Builds run-end encoded arrays: a value equal to the last one makes its run longer, nulls too. More elements than the
 * type of the run ends can count are an error.
 */
public final class RunEndEncodedBuilder extends ArrayBuilder {
    private final IntegerBuilders.Integers runEnds;
    private final ArrayBuilder values;

    /** The value of the open run, as a key; null for a run of nulls. */
    private @Nullable Object lastKey;

    RunEndEncodedBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        RunEndEncodedType type = (RunEndEncodedType) field.type().storageType();
        this.runEnds = (IntegerBuilders.Integers) Builders.of(type.runEnds(), memory, this);
        this.values = Builders.of(type.values(), memory, this);
    }

    /** The number of runs. */
    public long runCount() {
        return values.getLength();
    }

    /**
     * Appends a value, or null, a number of times.
     *
     * @throws IllegalArgumentException if the count is negative; and as {@link #append(Object)}
     */
    public void appendRun(@Nullable Object value, long count) {
        if (count < 0) {
            throw fail("a run of " + count + " elements");
        }
        if (count > 0) {
            requireCountable(count);
            append(value);
            length += count - 1;
        }
    }

    @Override
    public void append(boolean value) {
        append((Object) value);
    }

    @Override
    public void append(long value) {
        append((Object) value);
    }

    @Override
    public void append(float value) {
        append((Object) value);
    }

    @Override
    public void append(double value) {
        append((Object) value);
    }

    @Override
    boolean appendValue(Object value) {
        requireCountable(1);
        Object key = Keys.of(value);
        if (length == 0 || !key.equals(lastKey)) {
            memory.requireOpen("append");
            if (!values.appendValue(value)) {
                return false;
            }
            startRun(key);
        }
        length++;
        return true;
    }

    @Override
    void putNull() {
        requireCountable(1);
        if (length == 0 || lastKey != null) {
            memory.requireOpen("append");
            values.appendNull();
            startRun(null);
        }
        length++;
    }

    @Override
    void appendFiller() {
        if (values.nullable()) {
            putNull();
        } else {
            appendEmpty();
        }
    }

    @Override
    void appendEmpty() {
        requireCountable(1);
        values.appendEmpty();
        startRun(new Object()); // Equal to no value, so that the next one starts a run.
        length++;
    }

    /** Ends the run before the value that has just been appended. */
    private void startRun(@Nullable Object key) {
        if (length > 0) {
            runEnds.append(length);
        }
        lastKey = key;
    }

    private void requireCountable(long more) {
        if (length > runEnds.max - more) {
            throw fail(
                    "more than " + runEnds.max + " elements, which run ends of " + runEnds.getType() + " can't count");
        }
    }

    @Override
    void putZero(long index) {}

    @Override
    void resize(long newCapacity) {}

    @Override
    ArrayData build() {
        if (length > 0) {
            runEnds.append(length);
        }
        return data(new @Nullable DeviceBuffer[0], runEnds.build(), values.build());
    }

    @Override
    void reset() {
        super.reset();
        runEnds.reset();
        values.reset();
        lastKey = null;
    }
}
