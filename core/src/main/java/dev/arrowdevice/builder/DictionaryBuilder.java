package dev.arrowdevice.builder;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.Field;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds dictionary-encoded arrays: each value is looked up in a hash map and goes into the dictionary once, in the
 * order of first sight; nulls are nulls of the indices. More values than the index type can count are an error.
 *
 * <p>Whether the dictionary is ordered is a statement of the type: who makes it must append first in that order, or
 * {@linkplain #useDictionary give} a dictionary that has it.
 */
public final class DictionaryBuilder extends ArrayBuilder {
    private final IntegerBuilders.Integers indices;
    private final ArrayBuilder values;
    private final Map<Object, Long> positions = new HashMap<>();
    private @Nullable DeviceArray given;

    DictionaryBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        DictionaryType type = (DictionaryType) field.type().storageType();
        this.indices = (IntegerBuilders.Integers)
                Builders.of(new Field("", type.indexType(), field.nullable(), field.metadata()), memory, this);
        this.values = Builders.of(Field.notNull("", type.valueType()), memory, this);
    }

    /**
     * Uses a dictionary that exists, for this array and those that follow: a value that it does not hold is an error. The
     * memory is shared, the view stays its owner's.
     *
     * @throws IllegalStateException if something has been appended already
     * @throws IllegalArgumentException if the dictionary's type or device is another one
     */
    public void useDictionary(ArrayView dictionary) {
        memory.requireOpen("useDictionary");
        if (length > 0) {
            throw new IllegalStateException(at("") + "useDictionary: values have been appended already");
        }
        if (!dictionary.getType().equals(values.getType()) || !sameDevice(dictionary.getDevice())) {
            throw new IllegalArgumentException(
                    at("") + "a dictionary of " + dictionary.getType() + " on " + dictionary.getDevice() + " where "
                            + values.getType() + " on " + memory.device() + " is expected");
        }
        Map<Object, Long> found = new HashMap<>();
        dictionary.<@Nullable Void>borrow(reader -> {
            for (long i = 0; i < reader.getLength(); i++) {
                Object value = reader.getObject(i);
                if (value != null) {
                    found.putIfAbsent(Keys.of(value), i);
                }
            }
            return null;
        });
        DeviceArray shared = dictionary.share();
        memory.closeLater(shared);
        given = shared;
        positions.clear();
        positions.putAll(found);
    }

    private boolean sameDevice(Device device) {
        return device.equals(memory.device())
                || (device.isCpu() && memory.device().isCpu());
    }

    /** The number of values in the dictionary. */
    public long getDictionarySize() {
        return given == null ? values.getLength() : given.getLength();
    }

    /**
     * Appends the value at an index of the dictionary.
     *
     * @throws IllegalArgumentException if the dictionary is not as large
     */
    public void appendIndex(long index) {
        if (index < 0 || index >= getDictionarySize()) {
            throw fail("index " + index + " of a dictionary of " + getDictionarySize() + " values");
        }
        indices.append(index);
        length = indices.getLength();
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
        Object key = Keys.of(value);
        Long known = positions.get(key);
        if (known == null) {
            if (given != null) {
                throw fail("the given dictionary of " + given.getLength() + " values does not hold " + value);
            }
            long next = values.settle();
            if (next > indices.max) {
                throw fail("the dictionary has " + next + " values already, more than indices of " + indices.getType()
                        + " can count");
            }
            memory.requireOpen("append");
            if (!values.appendValue(value)) {
                return false;
            }
            known = next;
            positions.put(key, known);
        }
        indices.append((long) known);
        length = indices.getLength();
        return true;
    }

    @Override
    void putNull() {
        indices.putNull();
        length = indices.getLength();
    }

    @Override
    void appendEmpty() {
        if (getDictionarySize() == 0) {
            if (given != null) {
                throw fail("the given dictionary has no values");
            }
            values.appendEmpty();
        }
        indices.append(0L);
        length = indices.getLength();
    }

    @Override
    void putZero(long index) {}

    @Override
    void resize(long newCapacity) {
        indices.reserve(newCapacity - length);
    }

    @Override
    ArrayData build() {
        ArrayData index = indices.build();
        @Nullable DeviceBuffer[] buffers = {index.buffer(0), index.buffer(1)};
        ArrayData dictionary;
        if (given == null) {
            dictionary = values.build();
        } else {
            dictionary = given.getData();
            memory.adopt(Owners.state(given).retain("finish"));
        }
        return new ArrayData(
                getType(),
                memory.device(),
                length,
                0,
                index.getKnownNullCount(),
                buffers,
                new ArrayData[0],
                dictionary);
    }

    @Override
    void reset() {
        super.reset();
        indices.reset();
        values.reset();
        if (given == null) {
            positions.clear();
        }
    }
}
