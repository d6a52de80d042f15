package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builders of the extensions whose values are not those of their storage. */
final class ExtensionBuilders {
    private ExtensionBuilders() {}

    /** {@code arrow.uuid}: "bytes are in big-endian order". */
    static final class Uuid extends FixedWidthBuilder {
        Uuid(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent);
        }

        @Override
        boolean appendValue(Object value) {
            byte[] bytes;
            if (value instanceof UUID uuid) {
                bytes = memory.scratch(byteWidth);
                ByteBuffer.wrap(bytes).putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
            } else {
                bytes = Bytes.of(value);
                if (bytes == null) {
                    return false;
                }
                if (bytes.length != byteWidth) {
                    throw unfit(bytes.length + " bytes");
                }
            }
            long at = nextIndex();
            values.put(at * byteWidth, bytes, 0, byteWidth);
            length = at + 1;
            return true;
        }
    }

    /** {@code arrow.bool8}: "False is denoted by the value 0. True can be specified using any non-zero value". */
    static final class Bool8 extends IntegerBuilders.Int8 {
        Bool8(Field field, BuildMemory memory, @Nullable ArrayBuilder parent) {
            super(field, memory, parent, true);
        }

        @Override
        public void append(boolean value) {
            append(value ? 1 : 0);
        }

        @Override
        boolean appendValue(Object value) {
            if (value instanceof Boolean flag) {
                append((boolean) flag);
                return true;
            }
            return super.appendValue(value);
        }
    }
}
