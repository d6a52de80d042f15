package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds binary values of one size. Also {@code arrow.uuid}, whose "bytes are in big-endian order". */
final class FixedSizeBinaryBuilder extends ArrayBuilder {
    private final boolean takesUuids;
    private final FixedValues values;

    FixedSizeBinaryBuilder(Field field, BuildMemory memory, @Nullable ArrayBuilder parent, boolean takesUuids) {
        super(field, memory, parent);
        this.takesUuids = takesUuids;
        this.values = new FixedValues(field.type(), memory);
    }

    @Override
    public long getLength() {
        return values.length();
    }

    @Override
    boolean appendValue(Object value) {
        byte[] bytes;
        if (takesUuids && value instanceof UUID uuid) {
            bytes = memory.scratch(values.width);
            ByteBuffer.wrap(bytes).putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        } else {
            bytes = Bytes.of(value);
            if (bytes == null) {
                return false;
            }
            if (bytes.length != values.width) {
                throw place.unfit(bytes.length + " bytes");
            }
        }
        values.roomFor(1).put(values.end(), bytes, 0, values.width);
        values.added(1);
        return true;
    }

    @Override
    @Nullable
    Object keyOf(Object value) {
        if (takesUuids && value instanceof UUID uuid) {
            return ByteBuffer.allocate(Long.BYTES * 2)
                    .putLong(0, uuid.getMostSignificantBits())
                    .putLong(Long.BYTES, uuid.getLeastSignificantBits());
        }
        return Keys.ofBytes(value);
    }

    @Override
    void putNull() {
        values.addNull();
    }

    @Override
    void putEmpty() {
        values.addZero();
    }

    @Override
    void makeRoom(long elements) {
        values.reserve(elements);
    }

    @Override
    ArrayData build() {
        return data(values.nullCount(), values.finish());
    }

    @Override
    void reset() {
        values.reset();
    }
}
