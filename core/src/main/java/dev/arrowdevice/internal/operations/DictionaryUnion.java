package dev.arrowdevice.internal.operations;

import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.internal.reading.Integers;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One dictionary for several dictionary-encoded arrays. It begins with the first dictionary; values that others add come
 * behind. If they add none, the first dictionary is shared, and if they are the same one, no index changes.
 */
final class DictionaryUnion {
    private final Concat concat;
    private final List<ArrayData> parts;
    private final DictionaryType type;
    private final ArrayData dictionary;

    /** For each part the new index of each value of its dictionary; null if no index changes. */
    private final long[][] maps;

    private DictionaryUnion(
            Concat concat, List<ArrayData> parts, DictionaryType type, ArrayData dictionary, long[][] maps) {
        this.concat = concat;
        this.parts = parts;
        this.type = type;
        this.dictionary = dictionary;
        this.maps = maps;
    }

    static DictionaryUnion of(Concat concat, List<ArrayData> parts) {
        DictionaryType type = (DictionaryType) parts.get(0).getType().storageType();
        ArrayData first = dictionaryOf(parts.get(0));
        boolean same = true;
        for (ArrayData part : parts) {
            same &= dictionaryOf(part) == first;
        }
        if (same) {
            return new DictionaryUnion(concat, parts, type, concat.output.share(first), new long[0][]);
        }
        ValueTable table = new ValueTable();
        ValueSource firstValues = ValueSource.of(first);
        for (long i = 0; i < first.getLength(); i++) {
            table.addAnyway(firstValues, i);
        }
        List<ArrayData> pieces = new ArrayList<>();
        pieces.add(first);
        long[][] maps = new long[parts.size()][];
        try (Output scratch = new Output()) {
            Gather gather = new Gather(scratch, concat.operation);
            for (int i = 0; i < maps.length; i++) {
                maps[i] = map(gather, parts.get(i), table, pieces);
            }
            requireRoom(concat, type, table.size());
            ArrayData dictionary = pieces.size() == 1 ? concat.output.share(first) : concat.concat(pieces);
            return new DictionaryUnion(concat, parts, type, dictionary, maps);
        }
    }

    private static long[] map(Gather gather, ArrayData part, ValueTable table, List<ArrayData> pieces) {
        ArrayData own = dictionaryOf(part);
        int before = table.size();
        if (own == pieces.get(0)) {
            long[] identity = new long[Math.toIntExact(own.getLength())];
            Arrays.setAll(identity, i -> i);
            return identity;
        }
        ValueSource values = ValueSource.of(own);
        long[] map = new long[Math.toIntExact(own.getLength())];
        boolean ascends = true;
        for (int i = 0; i < map.length; i++) {
            map[i] = table.add(values, i);
            ascends &= i == 0 || map[i] > map[i - 1];
        }
        if (!ascends && ((DictionaryType) part.getType().storageType()).ordered()) {
            throw new IllegalArgumentException(gather.operation
                    + ": ordered dictionaries have values in different orders, and no order has both; decode first");
        }
        int added = table.size() - before;
        if (added > 0) {
            long[] positions = Arrays.copyOfRange(table.indices(), before, table.size());
            Selection selection = ChildSelections.ofPositions(positions, added, false);
            pieces.add(gather.gather(own, selection, false));
        }
        return map;
    }

    static ArrayData dictionaryOf(ArrayData array) {
        ArrayData dictionary = array.getDictionary();
        if (dictionary == null) {
            throw new AssertionError("ArrayData checks that a dictionary array has one");
        }
        return dictionary;
    }

    private static void requireRoom(Concat concat, DictionaryType type, int size) {
        if (size - 1L > largest(type.indexType().id())) {
            throw new IllegalArgumentException(concat.operation + ": the dictionaries have " + size
                    + " different values together, more than indices of " + Brief.type(type.indexType())
                    + " can count; cast to a wider index type first");
        }
    }

    /** The largest index of a type. */
    static long largest(TypeId type) {
        switch (type) {
            case INT8:
                return Byte.MAX_VALUE;
            case UINT8:
                return 0xFF;
            case INT16:
                return Short.MAX_VALUE;
            case UINT16:
                return 0xFFFF;
            case INT32:
                return Integer.MAX_VALUE;
            case UINT32:
                return 0xFFFF_FFFFL;
            default:
                return Long.MAX_VALUE;
        }
    }

    /** The dictionary of the result. */
    ArrayData dictionary() {
        return dictionary;
    }

    /** The indices of the result. */
    DeviceBuffer indices(long length) {
        int width = type.indexType().layout().bitWidth() / 8;
        if (maps.length == 0) {
            return concat.blocks(parts, 1, length, width);
        }
        DeviceBuffer buffer = concat.output.allocate(Math.multiplyExact(length, (long) width));
        HostMemory to = buffer.memory();
        long at = 0;
        for (int i = 0; i < maps.length; i++) {
            ArrayData part = parts.get(i);
            Integers from = new Integers(
                    FixedWidth.from(part, 1, width), type.indexType().id());
            BitSource validity = Gather.validityOf(part);
            for (long k = 0; k < part.getLength(); k++) {
                boolean valid = validity == null || validity.bit(k) != 0;
                put(to, width, at++, valid ? mapped(maps[i], from.get(k), k) : 0);
            }
        }
        return buffer;
    }

    private long mapped(long[] map, long index, long element) {
        if (index < 0 || index >= map.length) {
            throw new IllegalStateException(concat.operation + ": the value at index " + element + " has index " + index
                    + " of a dictionary of " + map.length + " values; validate the array");
        }
        return map[(int) index];
    }

    static void put(HostMemory to, int width, long at, long value) {
        switch (width) {
            case 1:
                to.putByte(at, (byte) value);
                break;
            case 2:
                to.putShort(at << 1, (short) value);
                break;
            case 4:
                to.putInt(at << 2, (int) value);
                break;
            default:
                to.putLong(at << 3, value);
        }
    }
}
