package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.UnionType;
import dev.arrowdevice.ipc.internal.memory.BitCopy;
import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins arrays of one type, one after the other, in new memory: a dictionary and what deltas add to it. Dictionaries that the
 * arrays themselves refer to must be the same.
 *
 * @param values the joined array
 * @param owner keeps its memory alive, except for that of dictionaries; one reference belongs to the caller
 */
record Concatenation(ArrayData values, ReferenceCounted owner) {
    /** Joins arrays whose structure has been checked. The result has at most {@code maxBytes}. */
    static Concatenation of(List<ArrayData> pieces, BodyMemory memory, long maxBytes) {
        Joining joining = new Joining(memory, maxBytes);
        try {
            ArrayData values = joining.join(pieces);
            return new Concatenation(values, ReferenceCounted.all(joining.owners.toArray(new ReferenceCounted[0])));
        } catch (Throwable e) {
            joining.owners.forEach(ReferenceCounted::release);
            throw e;
        }
    }

    private static final class Joining {
        private final BodyMemory memory;
        private final List<ReferenceCounted> owners = new ArrayList<>();
        private long left;

        Joining(BodyMemory memory, long maxBytes) {
            this.memory = memory;
            this.left = maxBytes;
        }

        /** Arrays that need no memory may have any length, but not what they are joined to. */
        private DeviceBuffer allocate(long byteSize) {
            if (byteSize > left) {
                throw new IllegalArgumentException(
                        "the dictionary has more bytes than the limit (IpcReadOptions.withMaxBatchBytes)");
            }
            left -= byteSize;
            DeviceBuffer buffer = memory.allocate(byteSize);
            owners.add(buffer.getOwner());
            return buffer;
        }

        ArrayData join(List<ArrayData> pieces) {
            List<Node> nodes = new ArrayList<>();
            long length = 0;
            for (ArrayData piece : pieces) {
                nodes.add(new Node(piece));
                length = Math.addExact(length, piece.getLength());
            }
            Node first = nodes.get(0);
            List<@Nullable DeviceBuffer> buffers = new ArrayList<>();
            long nulls = 0;
            if (first.storage.layout().hasValidity()) {
                for (ArrayData piece : pieces) {
                    nulls += piece.getNullCount();
                }
                buffers.add(nulls == 0 ? null : validity(nodes, length));
            }
            List<ArrayData> children = new ArrayList<>();
            switch (first.storage.id()) {
                case NULL -> nulls = length;
                case UTF8, BINARY, LARGE_UTF8, LARGE_BINARY -> {
                    buffers.add(offsets(nodes, length));
                    buffers.add(bytes(nodes));
                }
                case UTF8_VIEW, BINARY_VIEW -> views(nodes, length, buffers);
                case LIST, LARGE_LIST, MAP -> {
                    buffers.add(offsets(nodes, length));
                    children.add(join(elements(nodes)));
                }
                case LIST_VIEW, LARGE_LIST_VIEW -> {
                    buffers.add(listViews(nodes, length, 1));
                    buffers.add(listViews(nodes, length, 2));
                    children.add(join(wholeChild(pieces, 0)));
                }
                case FIXED_SIZE_LIST ->
                    children.add(join(child(pieces, 0, ((FixedSizeListType) first.storage).listSize())));
                case STRUCT -> {
                    for (int i = 0; i < first.data.getChildCount(); i++) {
                        children.add(join(child(pieces, i, 1)));
                    }
                }
                case SPARSE_UNION -> {
                    buffers.add(fixed(nodes, 0, 1, length));
                    for (int i = 0; i < first.data.getChildCount(); i++) {
                        children.add(join(child(pieces, i, 1)));
                    }
                }
                case DENSE_UNION -> {
                    buffers.add(fixed(nodes, 0, 1, length));
                    buffers.add(unionOffsets(nodes, length));
                    for (int i = 0; i < first.data.getChildCount(); i++) {
                        children.add(join(wholeChild(pieces, i)));
                    }
                }
                case RUN_END_ENCODED -> runs(nodes, children);
                default ->
                    buffers.add(first.isBits() ? bits(nodes, length) : fixed(nodes, 1, first.byteWidth(), length));
            }
            return new ArrayData(
                    first.data.getType(),
                    first.data.getDevice(),
                    length,
                    0,
                    nulls,
                    buffers.toArray(new DeviceBuffer[0]),
                    children.toArray(new ArrayData[0]),
                    first.data.getDictionary());
        }

        /** Of a child of each piece, the elements that belong to the piece. */
        private static List<ArrayData> child(List<ArrayData> pieces, int index, long perElement) {
            List<ArrayData> children = new ArrayList<>();
            for (ArrayData piece : pieces) {
                children.add(piece.child(index).slice(piece.getOffset() * perElement, piece.getLength() * perElement));
            }
            return children;
        }

        private static List<ArrayData> wholeChild(List<ArrayData> pieces, int index) {
            List<ArrayData> children = new ArrayList<>();
            for (ArrayData piece : pieces) {
                children.add(piece.child(index));
            }
            return children;
        }

        private DeviceBuffer validity(List<Node> nodes, long length) {
            DeviceBuffer target = zeros(BitCopy.byteSize(length));
            long at = 0;
            for (Node node : nodes) {
                if (node.data.getValidity() == null) {
                    BitCopy.setAll(target.memory(), at, node.length);
                } else {
                    BitCopy.append(node.memory(0), node.start, target.memory(), at, node.length);
                }
                at += node.length;
            }
            return target;
        }

        private DeviceBuffer bits(List<Node> nodes, long length) {
            DeviceBuffer target = zeros(BitCopy.byteSize(length));
            long at = 0;
            for (Node node : nodes) {
                BitCopy.append(node.memory(1), node.start, target.memory(), at, node.length);
                at += node.length;
            }
            return target;
        }

        private DeviceBuffer zeros(long byteSize) {
            DeviceBuffer buffer = allocate(byteSize);
            buffer.memory().fill(0, byteSize, (byte) 0);
            return buffer;
        }

        private DeviceBuffer fixed(List<Node> nodes, int buffer, int width, long length) {
            DeviceBuffer target = allocate(Math.multiplyExact(length, (long) width));
            long at = 0;
            for (Node node : nodes) {
                node.memory(buffer).copyTo(node.start * width, target.memory(), at, node.length * width);
                at += node.length * width;
            }
            return target;
        }

        private DeviceBuffer offsets(List<Node> nodes, long length) {
            boolean wide = nodes.get(0).isWide();
            DeviceBuffer target = allocate((length + 1) * (wide ? 8 : 4));
            long at = 0;
            long base = 0;
            put(target.memory(), wide, 0, 0);
            for (Node node : nodes) {
                if (node.length == 0) {
                    continue;
                }
                long from = node.number(1, node.start);
                for (long i = 1; i <= node.length; i++) {
                    put(target.memory(), wide, at + i, node.number(1, node.start + i) - from + base);
                }
                at += node.length;
                base += node.number(1, node.start + node.length) - from;
            }
            return target;
        }

        private static void put(HostMemory memory, boolean wide, long index, long value) {
            if (wide) {
                memory.putLong(index * 8, value);
            } else {
                memory.putInt(index * 4, Math.toIntExact(value));
            }
        }

        private DeviceBuffer bytes(List<Node> nodes) {
            long total = 0;
            for (Node node : nodes) {
                total = Math.addExact(total, size(node));
            }
            DeviceBuffer target = allocate(total);
            long at = 0;
            for (Node node : nodes) {
                long size = size(node);
                if (size > 0) {
                    node.memory(2).copyTo(node.number(1, node.start), target.memory(), at, size);
                }
                at += size;
            }
            return target;
        }

        /** The number of elements that offsets refer to. */
        private static long size(Node node) {
            if (node.length == 0) {
                return 0;
            }
            long size = node.number(1, node.start + node.length) - node.number(1, node.start);
            if (size < 0) {
                throw new IllegalArgumentException("the offsets descend");
            }
            return size;
        }

        private static List<ArrayData> elements(List<Node> nodes) {
            List<ArrayData> elements = new ArrayList<>();
            for (Node node : nodes) {
                long from = node.length == 0 ? 0 : node.number(1, node.start);
                elements.add(node.data.child(0).slice(from, size(node)));
            }
            return elements;
        }

        /** The offsets of list views, moved by the elements of the pieces before, or their sizes. */
        private DeviceBuffer listViews(List<Node> nodes, long length, int buffer) {
            boolean wide = nodes.get(0).isWide();
            DeviceBuffer target = allocate(length * (wide ? 8 : 4));
            long at = 0;
            long base = 0;
            for (Node node : nodes) {
                for (long i = 0; i < node.length; i++) {
                    put(target.memory(), wide, at + i, node.number(buffer, node.start + i) + base);
                }
                at += node.length;
                base += buffer == 1 ? node.data.child(0).getLength() : 0;
            }
            return target;
        }

        private DeviceBuffer unionOffsets(List<Node> nodes, long length) {
            int[] childOf = ((UnionType) nodes.get(0).storage).childIndices();
            long[] bases = new long[nodes.get(0).data.getChildCount()];
            DeviceBuffer target = allocate(length * 4);
            long at = 0;
            for (Node node : nodes) {
                for (long i = 0; i < node.length; i++) {
                    byte id = node.memory(0).getByte(node.start + i);
                    int child = id < 0 ? -1 : childOf[id];
                    if (child < 0) {
                        throw new IllegalArgumentException("type id " + id + " is not in the union");
                    }
                    long offset = node.memory(1).getInt((node.start + i) * 4) + bases[child];
                    target.memory().putInt((at + i) * 4, Math.toIntExact(offset));
                }
                at += node.length;
                for (int i = 0; i < bases.length; i++) {
                    bases[i] += node.data.child(i).getLength();
                }
            }
            return target;
        }

        /** Views keep their bytes; those that refer to a data buffer refer to the copy of it. */
        private void views(List<Node> nodes, long length, List<@Nullable DeviceBuffer> buffers) {
            DeviceBuffer views = fixed(nodes, 1, 16, length);
            buffers.add(views);
            long at = 0;
            int base = 0;
            for (Node node : nodes) {
                for (long i = 0; i < node.length; i++) {
                    long view = (at + i) * 16;
                    if (views.memory().getInt(view) > 12) {
                        views.memory().putInt(view + 8, views.memory().getInt(view + 8) + base);
                    }
                }
                at += node.length;
                for (int i = 2; i < node.data.getBufferCount(); i++) {
                    HostMemory source = node.memory(i);
                    DeviceBuffer buffer = node.data.buffer(i);
                    long size = buffer == null ? 0 : buffer.getByteSize();
                    DeviceBuffer copy = allocate(size);
                    source.copyTo(0, copy.memory(), 0, size);
                    buffers.add(copy);
                    base++;
                }
            }
        }

        private void runs(List<Node> nodes, List<ArrayData> children) {
            ArrowType endType = nodes.get(0).data.child(0).getType();
            List<ArrayData> values = new ArrayList<>();
            long count = 0;
            for (Node node : nodes) {
                ArrayData used = usedRuns(node);
                values.add(used);
                count += used.getLength();
            }
            int width = new Node(nodes.get(0).data.child(0)).byteWidth();
            DeviceBuffer ends = allocate(count * width);
            long at = 0;
            long base = 0;
            for (int i = 0; i < nodes.size(); i++) {
                Node node = nodes.get(i);
                Node runEnds = new Node(node.data.child(0));
                long firstRun = node.length == 0 ? 0 : Node.runAt(runEnds, node.start);
                for (long run = 0; run < values.get(i).getLength(); run++) {
                    long end =
                            Math.min(runEnds.runEnd(runEnds.start + firstRun + run) - node.start, node.length) + base;
                    putRunEnd(ends.memory(), width, at++, end);
                }
                base += node.length;
            }
            children.add(new ArrayData(
                    endType,
                    nodes.get(0).data.getDevice(),
                    count,
                    0,
                    0,
                    new DeviceBuffer[] {null, ends},
                    new ArrayData[0],
                    null));
            children.add(join(values));
        }

        private static ArrayData usedRuns(Node node) {
            if (node.length == 0) {
                return node.data.child(1).slice(0, 0);
            }
            Node runEnds = new Node(node.data.child(0));
            long firstRun = Node.runAt(runEnds, node.start);
            long lastRun = Node.runAt(runEnds, node.start + node.length - 1);
            return node.data.child(1).slice(firstRun, lastRun - firstRun + 1);
        }

        private static void putRunEnd(HostMemory memory, int width, long index, long end) {
            switch (width) {
                case 2 -> {
                    if (end > Short.MAX_VALUE) {
                        throw new ArithmeticException("a run end of " + end + " in 16 bits");
                    }
                    memory.putShort(index * 2, (short) end);
                }
                case 4 -> memory.putInt(index * 4, Math.toIntExact(end));
                default -> memory.putLong(index * 8, end);
            }
        }
    }
}
