package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins arrays of one type, one after the other. Values are copied in blocks. The bytes of string and binary views are
 * shared, and so is a dictionary that all parts have.
 */
final class Concat {
    private static final ArrayData[] NO_CHILDREN = {};

    final Output output;

    /** The call of the user, for messages. */
    final String operation;

    Concat(Output output, String operation) {
        this.output = output;
        this.operation = operation;
    }

    /** The parts as one array, on the CPU. There is at least one part. */
    ArrayData concat(List<ArrayData> parts) {
        ArrayData first = parts.get(0);
        ArrowType storage = first.getType().storageType();
        long length = 0;
        for (ArrayData part : parts) {
            length = Math.addExact(length, part.getLength());
        }
        switch (storage.id()) {
            case NULL:
                return node(first, length, length, new DeviceBuffer[0], NO_CHILDREN, null);
            case SPARSE_UNION:
            case DENSE_UNION:
                return new UnionConcat(this, parts, length).concat();
            case RUN_END_ENCODED:
                return runs(parts, length);
            default:
        }
        long nulls = 0;
        for (ArrayData part : parts) {
            nulls += part.getNullCount();
        }
        List<@Nullable DeviceBuffer> buffers = new ArrayList<>();
        buffers.add(nulls == 0 ? null : validity(parts, length));
        ArrayData[] children = NO_CHILDREN;
        ArrayData dictionary = null;
        switch (storage.id()) {
            case BOOL:
                buffers.add(bits(parts, length));
                break;
            case UTF8:
            case BINARY:
            case LARGE_UTF8:
            case LARGE_BINARY:
                RangeConcat bytes = new RangeConcat(this, parts, length);
                buffers.add(bytes.offsets());
                buffers.add(bytes.bytes());
                break;
            case UTF8_VIEW:
            case BINARY_VIEW:
                buffers.add(blocks(parts, 1, length, 16));
                addVariadic(parts, buffers);
                break;
            case LIST:
            case LARGE_LIST:
            case MAP:
                RangeConcat lists = new RangeConcat(this, parts, length);
                buffers.add(lists.offsets());
                children = new ArrayData[] {concat(lists.elements())};
                break;
            case LIST_VIEW:
            case LARGE_LIST_VIEW:
                RangeConcat views = new RangeConcat(this, parts, length);
                buffers.addAll(List.of(views.views()));
                children = new ArrayData[] {concat(views.elements())};
                break;
            case FIXED_SIZE_LIST:
                children = children(parts, ((FixedSizeListType) storage).listSize());
                break;
            case STRUCT:
                children = children(parts, 1);
                break;
            case DICTIONARY:
                DictionaryUnion union = DictionaryUnion.of(this, parts);
                dictionary = union.dictionary();
                buffers.add(union.indices(length));
                break;
            default:
                buffers.add(blocks(parts, 1, length, storage.layout().bitWidth() / 8));
        }
        return node(first, length, nulls, buffers.toArray(new DeviceBuffer[0]), children, dictionary);
    }

    ArrayData node(
            ArrayData like,
            long length,
            long nullCount,
            @Nullable DeviceBuffer[] buffers,
            ArrayData[] children,
            @Nullable ArrayData dictionary) {
        return new ArrayData(like.getType(), Device.CPU, length, 0, nullCount, buffers, children, dictionary);
    }

    /** The children of parts whose elements have a number of elements each in every child. */
    ArrayData[] children(List<ArrayData> parts, long each) {
        ArrayData[] children = new ArrayData[parts.get(0).getChildCount()];
        for (int i = 0; i < children.length; i++) {
            List<ArrayData> ofParts = new ArrayList<>(parts.size());
            for (ArrayData part : parts) {
                ofParts.add(part.child(i).slice(part.getOffset() * each, part.getLength() * each));
            }
            children[i] = concat(ofParts);
        }
        return children;
    }

    private DeviceBuffer validity(List<ArrayData> parts, long length) {
        DeviceBuffer buffer = output.allocate(Bits.byteSize(length));
        BitWriter writer = new BitWriter(buffer.memory());
        for (ArrayData part : parts) {
            writer.append(Gather.validityOf(part), 0, part.getLength());
        }
        writer.finish();
        return buffer;
    }

    private DeviceBuffer bits(List<ArrayData> parts, long length) {
        DeviceBuffer buffer = output.allocate(Bits.byteSize(length));
        BitWriter writer = new BitWriter(buffer.memory());
        for (ArrayData part : parts) {
            BitSource bits = new BitSource(ArrayBuffers.memory(part.buffer(1)), part.getOffset());
            writer.append(bits, 0, part.getLength());
        }
        writer.finish();
        return buffer;
    }

    /** The values, of a fixed number of bytes, of a buffer of all parts. */
    DeviceBuffer blocks(List<ArrayData> parts, int buffer, long length, int width) {
        DeviceBuffer target = output.allocate(Math.multiplyExact(length, (long) width));
        long at = 0;
        for (ArrayData part : parts) {
            long size = part.getLength() * width;
            if (size > 0) {
                FixedWidth.from(part, buffer, width).copyTo(0, target.memory(), at, size);
                at += size;
            }
        }
        return target;
    }

    /** Adds the data buffers of all parts to those of an array of views, and makes the views refer to them. */
    private void addVariadic(List<ArrayData> parts, List<@Nullable DeviceBuffer> buffers) {
        DeviceBuffer views = buffers.get(1);
        long at = 0;
        for (int i = 0; i < parts.size(); i++) {
            ArrayData part = parts.get(i);
            int base = buffers.size() - 2;
            if (part.getLength() > 0 && part.getBufferCount() > 2) {
                for (int k = 2; k < part.getBufferCount(); k++) {
                    buffers.add(output.share(part.buffer(k)));
                }
                if (base > 0 && views != null) {
                    shiftViews(views.memory(), at, part.getLength(), base);
                }
            }
            at += part.getLength();
        }
    }

    private static void shiftViews(HostMemory views, long first, long count, int base) {
        for (long view = first; view < first + count; view++) {
            if (views.getInt(view << 4) > 12) { // The value is in a buffer, not in the view.
                long at = (view << 4) + 8;
                views.putInt(at, views.getInt(at) + base);
            }
        }
    }

    private ArrayData runs(List<ArrayData> parts, long length) {
        RunGather.requireRoom(parts.get(0), length, operation);
        int count = 0;
        for (ArrayData part : parts) {
            count = Math.addExact(count, part.getLength() == 0 ? 0 : runsIn(part));
        }
        long[] ends = new long[count];
        List<ArrayData> values = new ArrayList<>();
        int at = 0;
        long before = 0;
        for (ArrayData part : parts) {
            if (part.getLength() == 0) {
                values.add(part.child(1).slice(0, 0));
                continue;
            }
            Runs runs = new Runs(part);
            long first = runs.find(0);
            int own = runsIn(part);
            for (int i = 0; i < own; i++) {
                ends[at++] = before + runs.end(first + i);
            }
            values.add(part.child(1).slice(first, own));
            before += part.getLength();
        }
        ArrayData runEnds = RunGather.runEnds(output, parts.get(0).child(0), ends, count);
        ArrayData[] children = {runEnds, concat(values)};
        return node(parts.get(0), length, 0, new DeviceBuffer[0], children, null);
    }

    private static int runsIn(ArrayData part) {
        Runs runs = new Runs(part);
        return Math.toIntExact(runs.find(part.getLength() - 1) - runs.find(0) + 1);
    }
}
