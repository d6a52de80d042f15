package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import org.jspecify.annotations.Nullable;

/** Base of the builders of text and binary values of any size: gets the bytes of each. */
abstract class BytesBuilder extends ArrayBuilder {
    private final boolean text;

    BytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text) {
        super(field, memory, parent);
        this.text = text;
    }

    /** Appends bytes of an array, which may be the one that {@link #room} returned. */
    abstract void put(byte[] bytes, int from, int size);

    /** An array in which at least {@code size} bytes from {@link #roomStart} on are free, until the next call. */
    byte[] room(int size) {
        return memory.scratch(size);
    }

    /** Where the room in the array begins that {@link #room} returned. */
    int roomStart(byte[] room) {
        return 0;
    }

    @Override
    final boolean appendValue(Object value) {
        if (!text) {
            byte[] bytes = Bytes.of(value);
            if (bytes != null) {
                put(bytes, 0, bytes.length);
            }
            return bytes != null;
        }
        if (!(value instanceof CharSequence characters)) {
            return false;
        }
        if (characters.length() > Integer.MAX_VALUE / 3 - 8) {
            throw unfit("a text of " + characters.length() + " characters");
        }
        byte[] encoded = room(Bytes.maxUtf8Size(characters));
        int from = roomStart(encoded);
        int size = Bytes.encodeUtf8(characters, encoded, from);
        if (size < 0) {
            throw fail("the text has an unpaired surrogate at index " + (-1 - size));
        }
        put(encoded, from, size);
        return true;
    }
}
