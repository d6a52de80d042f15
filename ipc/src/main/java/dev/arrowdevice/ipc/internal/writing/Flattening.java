package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.format.FieldPlan;
import dev.arrowdevice.ipc.internal.memory.BitCopy;
import dev.arrowdevice.ipc.internal.memory.Node;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.util.List;

/**
 * Takes an array apart into nodes and buffers, in the order of the schema's fields, depth first. Only what the array shows is
 * written: of a slice, its own elements. Buffers are written as they lie where that is possible, otherwise a copy of them is
 * made: of bitmaps that don't begin at a byte, of offsets that don't begin at 0.
 */
final class Flattening {
    private final FlatBatch batch;
    private final IndexMaps maps;

    Flattening(FlatBatch batch, IndexMaps maps) {
        this.batch = batch;
        this.maps = maps;
    }

    /** Adds an array. */
    void add(FieldPlan plan, ArrayData array) {
        Node node = new Node(array);
        TypeId type = node.storage.id();
        long nulls = switch (type) {
            case NULL -> node.length;
            case SPARSE_UNION, DENSE_UNION, RUN_END_ENCODED -> 0;
            default -> array.getNullCount();
        };
        batch.node(node.length, nulls);
        if (node.storage.layout().hasValidity()) {
            if (nulls == 0) {
                batch.buffer(HostMemory.EMPTY, 0, 0);
            } else {
                bits(node.memory(0), node);
            }
        }
        List<FieldPlan> children = plan.children();
        switch (type) {
            case NULL -> {}
            case UTF8, BINARY, LARGE_UTF8, LARGE_BINARY -> {
                batch.buffer(Offsets.zeroBased(node, batch.scratch));
                long from = Offsets.first(node);
                batch.buffer(node.memory(2), from, Offsets.last(node) - from);
            }
            case UTF8_VIEW, BINARY_VIEW -> Views.add(node, batch);
            case LIST, LARGE_LIST, MAP -> {
                batch.buffer(Offsets.zeroBased(node, batch.scratch));
                long from = Offsets.first(node);
                add(children.get(0), range(array.child(0), from, Offsets.last(node) - from));
            }
            case LIST_VIEW, LARGE_LIST_VIEW -> {
                ListViews views = ListViews.of(node, batch.scratch);
                batch.buffer(views.offsets());
                batch.buffer(views.sizes());
                add(children.get(0), range(array.child(0), views.from(), views.count()));
            }
            case FIXED_SIZE_LIST -> {
                long size = ((FixedSizeListType) node.storage).listSize();
                add(children.get(0), range(array.child(0), node.start * size, node.length * size));
            }
            case STRUCT -> addFields(children, array);
            case SPARSE_UNION -> {
                fixed(node, 0, 1);
                addFields(children, array);
            }
            case DENSE_UNION -> {
                DenseUnions union = DenseUnions.of(node, batch.scratch);
                fixed(node, 0, 1);
                batch.buffer(union.offsets());
                for (int i = 0; i < children.size(); i++) {
                    add(children.get(i), range(array.child(i), union.from()[i], union.count()[i]));
                }
            }
            case RUN_END_ENCODED -> {
                Runs runs = Runs.of(node, batch.scratch);
                batch.node(runs.count(), 0);
                batch.buffer(HostMemory.EMPTY, 0, 0);
                batch.buffer(runs.ends());
                add(children.get(1), range(array.child(1), runs.from(), runs.count()));
            }
            case DICTIONARY -> indices(plan.dictionary(), node);
            default -> {
                if (node.isBits()) {
                    bits(node.memory(1), node);
                } else {
                    fixed(node, 1, node.byteWidth());
                }
            }
        }
    }

    private void addFields(List<FieldPlan> plans, ArrayData array) {
        for (int i = 0; i < plans.size(); i++) {
            add(plans.get(i), range(array.child(i), array.getOffset(), array.getLength()));
        }
    }

    private void indices(DictionaryPlan dictionary, Node node) {
        long[] map = maps.of(dictionary);
        if (map == null) {
            fixed(node, 1, node.byteWidth());
        } else {
            batch.buffer(IndexMaps.apply(map, node, batch.scratch));
        }
    }

    private void fixed(Node node, int buffer, long width) {
        batch.buffer(node.memory(buffer), node.start * width, node.length * width);
    }

    /** Bits of the elements, from the beginning of a byte on. Those behind the last one, in its byte, are zero. */
    private void bits(HostMemory memory, Node node) {
        long byteSize = BitCopy.byteSize(node.length);
        if ((node.start & 7) == 0 && !hasBitsBehind(memory, node.start + node.length)) {
            batch.buffer(memory, node.start >>> 3, byteSize);
            return;
        }
        HostMemory copy = batch.scratch.allocate(byteSize);
        BitCopy.toByte(memory, node.start, copy, 0, node.length);
        batch.buffer(copy, 0, byteSize);
    }

    /** Whether bits behind the last one, in its byte, are set: those of a slice are other elements. */
    private static boolean hasBitsBehind(HostMemory memory, long endBit) {
        int rest = (int) (endBit & 7);
        return rest != 0 && memory.getByte(endBit >>> 3) >>> rest != 0;
    }

    /** A range of an array. All of it is itself: it knows how many nulls it has. */
    static ArrayData range(ArrayData array, long from, long count) {
        return count == array.getLength() ? array : array.slice(from, count);
    }
}
