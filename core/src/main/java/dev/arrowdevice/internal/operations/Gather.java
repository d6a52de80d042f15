package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes an array of selected elements of another one. What the elements refer to, and need not move, is shared:
 * dictionaries, the elements of list views and the bytes of string and binary views.
 */
final class Gather {
    private static final ArrayData[] NO_CHILDREN = {};

    final Output output;

    /** The call of the user, for messages. */
    final String operation;

    Gather(Output output, String operation) {
        this.output = output;
        this.operation = operation;
    }

    /** What each array of nulls says of itself. */
    private static final class Validity {
        @Nullable
        DeviceBuffer buffer;

        long nullCount;
    }

    /**
     * The selected elements, on the CPU.
     *
     * @param nullable whether a missing element is null; otherwise it is some value that nobody reads, because its
     *     parent is null or another child of a union is read
     */
    ArrayData gather(ArrayData source, Selection selection, boolean nullable) {
        ArrowType storage = source.getType().storageType();
        switch (storage.id()) {
            case NULL:
                selection.check();
                return node(source, selection, selection.length(), new DeviceBuffer[0], NO_CHILDREN);
            case SPARSE_UNION:
            case DENSE_UNION:
                return new UnionGather(this, source, selection).gather();
            case RUN_END_ENCODED:
                return RunGather.gather(this, source, selection);
            default:
        }
        // An index that nobody reads must still be one of the dictionary, or null.
        ArrayData dictionary = source.getDictionary();
        boolean marked = nullable || (dictionary != null && dictionary.getLength() == 0);
        Validity validity = validity(source, selection, marked);
        @Nullable DeviceBuffer[] buffers = new DeviceBuffer[source.getBufferCount()];
        ArrayData[] children = NO_CHILDREN;
        buffers[0] = validity.buffer;
        switch (storage.id()) {
            case BOOL:
                buffers[1] = bits(new BitSource(ArrayBuffers.memory(source.buffer(1)), source.getOffset()), selection);
                break;
            case UTF8:
            case BINARY:
            case LARGE_UTF8:
            case LARGE_BINARY:
                try (Output scratch = new Output()) {
                    VariableWidth values = variable(source, selection, scratch);
                    buffers[1] = values.offsets(operation);
                    buffers[2] = values.bytes(ArrayBuffers.memory(source.buffer(2)));
                }
                break;
            case UTF8_VIEW:
            case BINARY_VIEW:
                buffers[1] = values(source, 1, 16, selection);
                for (int i = 2; i < buffers.length; i++) {
                    buffers[i] = output.share(source.buffer(i));
                }
                break;
            case LIST:
            case LARGE_LIST:
            case MAP:
                VariableWidth lists = variable(source, selection, null);
                buffers[1] = lists.offsets(operation);
                Offsets offsets = new Offsets(offsetsOf(source), hasWideOffsets(storage));
                children = children(source, ChildSelections.ofLists(selection, offsets, lists.total));
                break;
            case LIST_VIEW:
            case LARGE_LIST_VIEW:
                int width = hasWideOffsets(storage) ? Long.BYTES : Integer.BYTES;
                buffers[1] = values(source, 1, width, selection);
                buffers[2] = values(source, 2, width, selection);
                children = new ArrayData[] {output.share(source.child(0))};
                break;
            case FIXED_SIZE_LIST:
                int size = ((FixedSizeListType) storage).listSize();
                children = children(source, ChildSelections.ofFixedSizeLists(selection, size));
                break;
            case STRUCT:
                if (source.getChildCount() == 0) {
                    selection.check();
                }
                children = children(source, selection);
                break;
            default: // Values of fixed width, and the indices of a dictionary.
                buffers[1] = values(source, 1, storage.layout().bitWidth() / 8, selection);
        }
        return node(source, selection, validity.nullCount, buffers, children);
    }

    ArrayData node(
            ArrayData source,
            Selection selection,
            long nullCount,
            @Nullable DeviceBuffer[] buffers,
            ArrayData[] children) {
        ArrayData dictionary = source.getDictionary();
        return new ArrayData(
                source.getType(),
                Device.CPU,
                selection.length(),
                0,
                nullCount,
                buffers,
                children,
                dictionary == null ? null : output.share(dictionary));
    }

    /** The selected elements of all children, where the selection means the elements of the child. */
    private ArrayData[] children(ArrayData source, Selection selection) {
        ArrayBuffers node = new ArrayBuffers(source);
        List<Field> fields = node.type().children();
        ArrayData[] children = new ArrayData[source.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            ArrayData child = node.child(i, source.getOffset(), source.getLength());
            children[i] = gather(child, selection, fields.get(i).nullable());
        }
        return children;
    }

    private Validity validity(ArrayData source, Selection selection, boolean nullable) {
        Validity result = new Validity();
        BitSource bits = validityOf(source);
        if (bits != null || (nullable && selection.hasMissing())) {
            DeviceBuffer buffer = output.allocate(Bits.byteSize(selection.length()));
            long set = writeBits(bits, selection, buffer);
            result.nullCount = selection.length() - set;
            result.buffer = result.nullCount == 0 ? null : buffer;
        }
        return result;
    }

    /** The validity bitmap from the first element on, or null if there are no nulls. */
    static @Nullable BitSource validityOf(ArrayData array) {
        return array.getNullCount() == 0
                ? null
                : new BitSource(ArrayBuffers.memory(array.getValidity()), array.getOffset());
    }

    private DeviceBuffer bits(BitSource bits, Selection selection) {
        DeviceBuffer buffer = output.allocate(Bits.byteSize(selection.length()));
        writeBits(bits, selection, buffer);
        return buffer;
    }

    private static long writeBits(@Nullable BitSource bits, Selection selection, DeviceBuffer target) {
        BitWriter writer = new BitWriter(target.memory());
        Cursor cursor = selection.cursor();
        while (cursor.next()) {
            if (cursor.isRun()) {
                writer.append(bits, cursor.start, cursor.length);
            } else {
                writer.append(bits, cursor.positions, cursor.count);
            }
        }
        return writer.finish();
    }

    DeviceBuffer values(ArrayData source, int buffer, int width, Selection selection) {
        return FixedWidth.gather(FixedWidth.from(source, buffer, width), width, selection, output);
    }

    private VariableWidth variable(ArrayData source, Selection selection, @Nullable Output scratch) {
        boolean wide = hasWideOffsets(source.getType().storageType());
        return new VariableWidth(offsetsOf(source), wide, selection, output, scratch);
    }

    private static HostMemory offsetsOf(ArrayData source) {
        int width = hasWideOffsets(source.getType().storageType()) ? Long.BYTES : Integer.BYTES;
        return FixedWidth.from(source, 1, width);
    }

    static boolean hasWideOffsets(ArrowType storage) {
        switch (storage.id()) {
            case LARGE_UTF8:
            case LARGE_BINARY:
            case LARGE_LIST:
            case LARGE_LIST_VIEW:
                return true;
            default:
                return false;
        }
    }
}
