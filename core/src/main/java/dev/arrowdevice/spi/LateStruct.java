package dev.arrowdevice.spi;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A struct whose fields are made when they are first asked for; see {@link ArrayData#ofStruct}. */
final class LateStruct extends ArrayData {
    private static final ArrayData[] NONE = {};

    private final AtomicReferenceArray<@Nullable ArrayData> fields;
    private final IntFunction<ArrayData> missing;

    LateStruct(
            ArrowType type,
            Device device,
            long length,
            long offset,
            long nullCount,
            @Nullable DeviceBuffer[] buffers,
            AtomicReferenceArray<@Nullable ArrayData> fields,
            IntFunction<ArrayData> missing) {
        super(type, device, length, offset, nullCount, buffers, NONE, null, fields.length());
        this.fields = fields;
        this.missing = missing;
    }

    @Override
    public int getChildCount() {
        return fields.length();
    }

    @Override
    public ArrayData child(int index) {
        ArrayData field = fields.get(index);
        if (field != null) {
            return field;
        }
        ArrayData made = missing.apply(index);
        // One for all threads, because an array remembers its null count.
        return fields.compareAndSet(index, null, made) ? made : Objects.requireNonNull(fields.get(index));
    }

    @Override
    ArrayData with(ArrowType newType, long newLength, long newOffset, long newNullCount) {
        return new LateStruct(newType, getDevice(), newLength, newOffset, newNullCount, buffers, fields, missing);
    }
}
