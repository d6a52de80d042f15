package dev.arrowdevice.internal.reading;

import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.spi.ArrayData;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads an extension array as its storage. As objects, its values follow the rules of the known extensions. */
final class ExtensionReader extends EncodedReaders.Indirect {
    private final ValueReader storage;
    private final Kind kind;

    private enum Kind {
        STORAGE,
        UUID,
        BOOL8
    }

    private ExtensionReader(ArrayData data, ValueReader storage, Kind kind) {
        super(data, null);
        this.storage = storage;
        this.kind = kind;
    }

    static ValueReader of(ArrayData data, ValueReader storage) {
        String name = ((ExtensionType) data.getType()).name();
        Kind kind = name.equals("arrow.uuid") ? Kind.UUID : name.equals("arrow.bool8") ? Kind.BOOL8 : Kind.STORAGE;
        return new ExtensionReader(data, storage, kind);
    }

    @Override
    void endParts() {
        storage.end();
    }

    @Override
    ValueReader source(long index) {
        return storage;
    }

    @Override
    long sourceIndex(long index) {
        return index;
    }

    @Override
    public boolean getBoolean(long index) {
        return kind == Kind.BOOL8 ? storage.getByte(index) != 0 : super.getBoolean(index);
    }

    @Override
    public Object valueAt(long index) {
        switch (kind) {
            case UUID:
                // "arrow.uuid … bytes are in big-endian order".
                ByteBuffer bytes = ByteBuffer.wrap(storage.getBytes(index));
                return new UUID(bytes.getLong(), bytes.getLong());
            case BOOL8:
                return getBoolean(index);
            default:
                return super.valueAt(index);
        }
    }

    @Override
    public @Nullable Object preview(long index, Preview budget) {
        return kind == Kind.STORAGE ? super.preview(index, budget) : getObject(index);
    }

    @Override
    public @Nullable Object exact(long index) {
        return kind == Kind.UUID ? getObject(index) : storage.exact(index);
    }

    @Override
    public boolean isSparse() {
        return storage.isSparse();
    }

    @Override
    public boolean sameRange(long index, ValueReader other, long otherIndex, long count) {
        return other instanceof ExtensionReader that
                ? storage.sameRange(index, that.storage, otherIndex, count)
                : super.sameRange(index, other, otherIndex, count);
    }

    @Override
    public int getChildCount() {
        return storage.getChildCount();
    }

    @Override
    public ValueReader child(int index) {
        return storage.child(index);
    }

    @Override
    public long listStart(long index) {
        return storage.listStart(index);
    }

    @Override
    public long listSize(long index) {
        return storage.listSize(index);
    }

    @Override
    public int unionChild(long index) {
        return storage.unionChild(index);
    }

    @Override
    public long unionOffset(long index) {
        return storage.unionOffset(index);
    }

    @Override
    public long runIndex(long index) {
        return storage.runIndex(index);
    }

    @Override
    public long dictionaryIndex(long index) {
        return storage.dictionaryIndex(index);
    }

    @Override
    public ValueReader getDictionary() {
        return storage.getDictionary();
    }
}
