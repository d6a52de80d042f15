package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What stands for the values of an array in a hash map. Values of fixed width are their bytes, so 0.0 and -0.0 are two, and
 * so are decimals that differ. Null is null.
 */
abstract class ValueKeys implements AutoCloseable {
    private ValueKeys() {}

    /** Whether the values of a dictionary can be compared one by one. */
    static boolean areOf(DictionaryPlan dictionary) {
        return isText(storage(dictionary.values().type()))
                || isFixed(storage(dictionary.values().type()));
    }

    private static ArrowType storage(ArrowType type) {
        return type.storageType();
    }

    private static boolean isText(ArrowType type) {
        return switch (type.id()) {
            case BOOL, UTF8, LARGE_UTF8, UTF8_VIEW, BINARY, LARGE_BINARY, BINARY_VIEW -> true;
            default -> false;
        };
    }

    private static boolean isFixed(ArrowType type) {
        return switch (type.id()) {
            case NULL, DICTIONARY, RUN_END_ENCODED, SPARSE_UNION, DENSE_UNION -> false;
            default -> type.layout().bitWidth() >= 8 && type.children().isEmpty();
        };
    }

    /** The keys of an array's values. The caller keeps their memory alive. */
    static ValueKeys of(ArrayData values) {
        ArrowType storage = storage(values.getType());
        return isText(storage) ? new Text(values.withType(storage)) : new Fixed(new Node(values));
    }

    /** The key of a value. */
    abstract @Nullable Object key(long index);

    @Override
    public void close() {}

    private static final class Text extends ValueKeys {
        private final DeviceArray array;

        Text(ArrayData values) {
            this.array = SeenDictionary.borrowed(values);
        }

        @Override
        @Nullable
        Object key(long index) {
            Object value = array.getObject(index);
            return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
        }

        @Override
        public void close() {
            array.close();
        }
    }

    private record Wide(long low, long high) {}

    private static final class Fixed extends ValueKeys {
        private final Node node;
        private final HostMemory memory;
        private final int width;

        Fixed(Node node) {
            this.node = node;
            this.memory = node.memory(1);
            this.width = node.byteWidth();
        }

        @Override
        @Nullable
        Object key(long index) {
            long position = node.start + index;
            if (!node.isValid(position)) {
                return null;
            }
            return switch (width) {
                case 1 -> (long) memory.getByte(position);
                case 2 -> (long) memory.getShort(position * 2);
                case 4 -> (long) memory.getInt(position * 4);
                case 8 -> memory.getLong(position * 8);
                case 16 -> new Wide(memory.getLong(position * 16), memory.getLong(position * 16 + 8));
                default -> {
                    byte[] bytes = new byte[width];
                    memory.get(position * width, bytes, 0, width);
                    yield ByteBuffer.wrap(bytes);
                }
            };
        }
    }
}
