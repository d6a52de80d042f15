package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.ipc.internal.format.BatchHeader;
import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.format.FieldPlan;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.Layout;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes arrays of the nodes and buffers of one message, in the order of the schema's fields, depth first. To be used within
 * {@link dev.arrowdevice.ipc.internal.format.Guard}.
 */
final class ArrayAssembler {
    private static final ArrayData[] NO_CHILDREN = {};

    private final BatchHeader header;
    private final BatchBuffers buffers;
    private final Device device;
    private final Function<DictionaryPlan, ArrayData> dictionaries;
    private int nextNode;
    private int nextBuffer;
    private int nextVariadic;

    ArrayAssembler(
            BatchHeader header, BatchBuffers buffers, Device device, Function<DictionaryPlan, ArrayData> dictionaries) {
        this.header = header;
        this.buffers = buffers;
        this.device = device;
        this.dictionaries = dictionaries;
    }

    /** All columns of a batch, as a struct array. */
    ArrayData struct(ArrowType type, List<FieldPlan> columns) {
        long rows = header.rows();
        ArrayData[] children = new ArrayData[columns.size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = array(columns.get(i));
            requireLength(children[i], rows);
        }
        requireAllUsed();
        return new ArrayData(type, device, rows, 0, 0, new DeviceBuffer[] {null}, children, null);
    }

    /** The values of a dictionary. */
    ArrayData values(FieldPlan plan) {
        ArrayData values = array(plan);
        requireLength(values, header.rows());
        requireAllUsed();
        return values;
    }

    private static void requireLength(ArrayData column, long rows) {
        if (column.getLength() != rows) {
            throw new IllegalArgumentException(
                    "a column of length " + column.getLength() + " in a batch of " + rows + " rows");
        }
    }

    private void requireAllUsed() {
        if (nextNode != header.nodes() || nextBuffer != buffers.count() || nextVariadic != header.variadicCounts()) {
            throw new IllegalArgumentException("the message has " + header.nodes() + " arrays, " + buffers.count()
                    + " buffers and " + header.variadicCounts() + " counts of data buffers, the schema needs "
                    + nextNode
                    + ", " + nextBuffer + " and " + nextVariadic);
        }
    }

    private ArrayData array(FieldPlan plan) {
        ArrowType storage = plan.type().storageType();
        long length = header.nodeLength(nextNode);
        long nulls = nulls(storage.id(), length, header.nodeNulls(nextNode));
        nextNode++;
        @Nullable DeviceBuffer[] own = buffers(storage, nulls);
        List<FieldPlan> fields = plan.children();
        ArrayData[] children = fields.isEmpty() ? NO_CHILDREN : new ArrayData[fields.size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = array(fields.get(i));
        }
        DictionaryPlan dictionary = plan.dictionary();
        return new ArrayData(
                plan.type(),
                device,
                length,
                0,
                nulls,
                own,
                children,
                dictionary == null ? null : dictionaries.apply(dictionary));
    }

    /** The null count of arrays without a bitmap is known by their type, whatever the message says. */
    private static long nulls(TypeId type, long length, long stated) {
        return switch (type) {
            case NULL -> length;
            case SPARSE_UNION, DENSE_UNION, RUN_END_ENCODED -> 0;
            default -> stated;
        };
    }

    private @Nullable DeviceBuffer[] buffers(ArrowType storage, long nulls) {
        if (storage.id() == TypeId.SPARSE_UNION || storage.id() == TypeId.DENSE_UNION) {
            skipValidityOfUnion();
        }
        Layout layout = storage.layout();
        int fixed = layout.bufferCount();
        int variadic = layout.variadic() ? header.variadicCount(nextVariadic++) : 0;
        @Nullable DeviceBuffer[] own = new DeviceBuffer[fixed + variadic];
        for (int i = 0; i < own.length; i++) {
            int index = next();
            boolean validity = i == 0 && fixed > 0 && layout.buffers().get(0) == BufferKind.VALIDITY;
            own[i] = validity ? validity(index, nulls) : buffers.get(index);
        }
        return own;
    }

    private @Nullable DeviceBuffer validity(int index, long nulls) {
        if (nulls == 0) {
            return null;
        }
        DeviceBuffer buffer = buffers.get(index);
        return buffer.getByteSize() == 0 ? null : buffer;
    }

    /** Before V5 unions had a validity bitmap. Values of the children can be null, the union itself no more. */
    private void skipValidityOfUnion() {
        if (!header.unionsHaveValidity()) {
            return;
        }
        next();
        if (header.nodeNulls(nextNode - 1) > 0) {
            throw new IllegalArgumentException(
                    "a union with nulls of its own, as metadata of version V4 had it, is not supported");
        }
    }

    private int next() {
        if (nextBuffer >= buffers.count()) {
            throw new IllegalArgumentException(
                    "the message has " + buffers.count() + " buffers, fewer than the schema needs");
        }
        return nextBuffer++;
    }
}
