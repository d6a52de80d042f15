package dev.arrowdevice.build;

import dev.arrowdevice.type.Field;
import org.jspecify.annotations.Nullable;

/** Base of the builders of text and binary values of any size: gets the bytes of each. */
abstract class BytesBuilder extends ArrayBuilder {
    private final boolean text;

    BytesBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean text) {
        super(field, memory, parent);
        this.text = text;
    }

    /** Appends the first bytes of an array. */
    abstract void put(byte[] bytes, int size);

    @Override
    final boolean appendValue(Object value) {
        if (!text) {
            byte[] bytes = Bytes.of(value);
            if (bytes != null) {
                put(bytes, bytes.length);
            }
            return bytes != null;
        }
        if (!(value instanceof CharSequence characters)) {
            return false;
        }
        if (characters.length() > Integer.MAX_VALUE / 3 - 8) {
            throw unfit("a text of " + characters.length() + " characters");
        }
        byte[] encoded = memory.scratch(Bytes.maxUtf8Size(characters));
        int size = Bytes.encodeUtf8(characters, encoded);
        if (size < 0) {
            throw fail("the text has an unpaired surrogate at index " + (-1 - size));
        }
        put(encoded, size);
        return true;
    }
}
