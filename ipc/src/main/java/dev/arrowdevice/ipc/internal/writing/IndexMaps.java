package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.HostMemory;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the indices of a batch become, where the dictionary that is written is not the batch's own: for each value of the
 * batch's dictionary, its index in the one that is written.
 */
final class IndexMaps {
    private Map<Long, long[]> maps = Map.of();

    void put(DictionaryPlan dictionary, long[] map) {
        if (maps.isEmpty()) {
            maps = new HashMap<>();
        }
        maps.put(dictionary.id(), map);
    }

    /** The map of a dictionary, null if its indices stay as they are. */
    long @Nullable [] of(DictionaryPlan dictionary) {
        return maps.get(dictionary.id());
    }

    /** The indices that a map makes of those of an array. */
    static Piece apply(long[] map, Node node, Scratch scratch) {
        int width = node.byteWidth();
        HostMemory source = node.memory(1);
        HostMemory target = scratch.allocate(node.length * width);
        long limit = limit((DictionaryType) node.storage);
        for (long i = 0; i < node.length; i++) {
            long index = 0;
            if (node.isValid(node.start + i)) {
                index = mapped(map, get(source, width, node.start + i));
            }
            if (index > limit) {
                throw new IllegalArgumentException(
                        "the dictionaries of all batches have more values together than indices of type "
                                + ((DictionaryType) node.storage).indexType() + " can count; use wider ones");
            }
            put(target, width, i, index);
        }
        return new Piece(target, 0, node.length * width);
    }

    private static long mapped(long[] map, long index) {
        if (index < 0 || index >= map.length) {
            throw new IllegalArgumentException("index " + index + " of a dictionary of " + map.length + " values");
        }
        return map[(int) index];
    }

    private static long limit(DictionaryType type) {
        return switch (type.indexType().id()) {
            case INT8 -> Byte.MAX_VALUE;
            case UINT8 -> 0xFF;
            case INT16 -> Short.MAX_VALUE;
            case UINT16 -> 0xFFFF;
            case INT32 -> Integer.MAX_VALUE;
            case UINT32 -> 0xFFFFFFFFL;
            default -> Long.MAX_VALUE;
        };
    }

    /** An index. Negative ones are refused, as no dictionary is so large that they could be unsigned. */
    private static long get(HostMemory memory, int width, long index) {
        return switch (width) {
            case 1 -> memory.getByte(index) & 0xFF;
            case 2 -> memory.getShort(index * 2) & 0xFFFF;
            case 4 -> memory.getInt(index * 4);
            default -> memory.getLong(index * 8);
        };
    }

    private static void put(HostMemory memory, int width, long index, long value) {
        switch (width) {
            case 1 -> memory.putByte(index, (byte) value);
            case 2 -> memory.putShort(index * 2, (short) value);
            case 4 -> memory.putInt(index * 4, (int) value);
            default -> memory.putLong(index * 8, value);
        }
    }
}
