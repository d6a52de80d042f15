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

/** Builds dictionary-encoded arrays. A hash map finds each value in the dictionary. */
final class DictionaryBuilder extends ArrayBuilder {
    private final NumberBuilder indices;
    private final ArrayBuilder values;
    private final Map<Object, Long> positions = new HashMap<>();
    private @Nullable DeviceArray given;

    DictionaryBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
        super(field, memory, parent);
        DictionaryType type = (DictionaryType) field.type().storageType();
        Field index = new Field("", type.indexType(), field.nullable(), field.metadata());
        this.indices = new NumberBuilder(index, memory, this);
        this.values = Builders.of(Field.notNull("", type.valueType()), memory, this);
    }

    @Override
    public long getLength() {
        return indices.getLength();
    }

    @Override
    public long getStoredLength() {
        return given == null ? values.getLength() : given.getLength();
    }

    @Override
    public void useDictionary(ArrayView dictionary) {
        memory.requireOpen("useDictionary");
        if (getLength() > 0) {
            throw new IllegalStateException(place.at("") + "useDictionary: values have been appended already");
        }
        if (!dictionary.getType().equals(values.getType()) || !sameDevice(dictionary.getDevice())) {
            throw new IllegalArgumentException(
                    place.at("") + "a dictionary of " + dictionary.getType() + " on " + dictionary.getDevice()
                            + " where " + values.getType() + " on " + memory.device() + " is expected");
        }
        Map<Object, Long> found = new HashMap<>();
        dictionary.<@Nullable Void>borrow(reader -> {
            for (long i = 0; i < reader.getLength(); i++) {
                Object value = reader.getObject(i);
                if (value != null) {
                    try {
                        found.putIfAbsent(Keys.of(values, value), i);
                    } catch (IllegalArgumentException e) {
                        continue; // A value that can't be appended, such as half a day as a date, still has an index.
                    }
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

    @Override
    public void appendIndex(long index) {
        if (index < 0 || index >= getStoredLength()) {
            throw place.fail("index " + index + " of a dictionary of " + getStoredLength() + " values");
        }
        indices.append(index);
    }

    @Override
    boolean appendValue(Object value) {
        Object key = Keys.of(values, value);
        Long known = positions.get(key);
        if (known == null) {
            if (given != null) {
                throw place.fail("the given dictionary of " + given.getLength() + " values does not hold " + value);
            }
            long next = values.settle();
            if (next > indices.max()) {
                throw place.fail("the dictionary has " + next + " values already, more than indices of "
                        + indices.getType() + " can count");
            }
            memory.requireOpen("append");
            indices.makeRoomForNext();
            if (!values.appendValue(value)) {
                return false;
            }
            known = next;
            positions.put(key, known);
        }
        indices.append((long) known);
        return true;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        Object key = values.keyOf(value);
        return key == null || given == null || positions.containsKey(key) ? key : null;
    }

    @Override
    void putNull() {
        indices.putNull();
    }

    @Override
    void putEmpty() {
        if (getStoredLength() == 0) {
            if (given != null) {
                throw place.fail("the given dictionary has no values");
            }
            indices.makeRoomForNext();
            values.putEmpty();
        }
        indices.append(0L);
    }

    @Override
    long settle() {
        values.settle();
        return getLength();
    }

    @Override
    void makeRoom(long elements) {
        indices.makeRoom(elements);
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
                getLength(),
                0,
                index.getKnownNullCount(),
                buffers,
                new ArrayData[0],
                dictionary);
    }

    @Override
    void reset() {
        indices.reset();
        values.reset();
        if (given == null) {
            positions.clear();
        }
    }
}
