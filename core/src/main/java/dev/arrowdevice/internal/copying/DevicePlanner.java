package dev.arrowdevice.internal.copying;

import dev.arrowdevice.internal.copying.CopyPlan.Node;
import dev.arrowdevice.internal.copying.CopyPlan.Piece;
import dev.arrowdevice.internal.reading.ArrayBuffers;
import dev.arrowdevice.internal.reading.Bits;
import dev.arrowdevice.internal.reading.BufferSizes;
import dev.arrowdevice.internal.reading.Offsets;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.HostMemory;
import dev.arrowdevice.spi.Layout;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans the copy of an array that the host can't read. A range that is known from type, offset and length is cut out,
 * to whole bytes of bitmaps. The size of the data of strings is known from its buffer, or must be read from the offsets
 * first. Values that offsets refer to stay where they are in their buffer, unless the host can shift the offsets
 * afterwards.
 */
final class DevicePlanner {
    /** A buffer of a known size below this is copied whole, without asking how much of it a slice uses. */
    private static final long WORTH_ASKING = 1 << 16;

    private final boolean rebase;
    private final Readback readback = new Readback();
    private final List<Piece> pieces = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();

    /** Data that offsets refer to, whose range must be read. */
    record Variable(Piece piece, DeviceBuffer bytes, Piece offsets, int width, long firstAt, long lastAt) {
        Offsets offsets(HostMemory memory, long at) {
            return new Offsets(memory.slice(at, memory.getByteSize() - at), width == Long.BYTES);
        }
    }

    /** A copy whose offsets the host shifts after the copy is done. */
    record Rebased(CopyPlan plan, List<Variable> variables) {
        /** Shifts the offsets, so that they refer to the copied data. */
        void rebase(HostMemory block) {
            for (Variable variable : variables) {
                long first = variable.piece.from();
                long at = variable.offsets.at;
                if (first != 0) {
                    long count = variable.offsets.byteSize() / variable.width;
                    variable.offsets(block, at).rebase(0, count, first, block, at);
                }
            }
        }
    }

    private DevicePlanner(boolean rebase) {
        this.rebase = rebase;
    }

    /**
     * Plans a copy that leaves values where offsets refer to them.
     *
     * @param mover reads the offsets that must be known; this waits for it
     * @param before completes when the source's values are there
     * @param owner keeps the source alive
     */
    static CopyPlan asItIs(
            ArrayData source, DeviceRuntime mover, @Nullable DeviceEvent before, ReferenceCounted owner) {
        return new DevicePlanner(false).decide(source, mover, before, owner);
    }

    /**
     * Plans a copy to host memory, without data that no offset refers to. {@link Rebased#rebase} must follow the copy.
     * The parameters are those of {@link #asItIs}.
     */
    static Rebased withoutUnused(
            ArrayData source, DeviceRuntime mover, @Nullable DeviceEvent before, ReferenceCounted owner) {
        DevicePlanner planner = new DevicePlanner(true);
        return new Rebased(planner.decide(source, mover, before, owner), planner.variables);
    }

    private CopyPlan decide(
            ArrayData source, DeviceRuntime mover, @Nullable DeviceEvent before, ReferenceCounted owner) {
        Node root = plan(source);
        if (!readback.isEmpty()) {
            readback.run(mover, before, owner, this::resolve);
        }
        return CopyPlan.of(root, pieces);
    }

    private Node plan(ArrayData source) {
        ArrayBuffers node = new ArrayBuffers(source);
        Layout layout = node.type().layout();
        List<BufferKind> kinds = layout.buffers();
        @Nullable Piece[] buffers = new Piece[source.getBufferCount()];
        long length = source.getLength();
        long end = node.end();
        long start = length > 0 && hasBitmap(source, layout) ? source.getOffset() & -8 : source.getOffset();
        for (int i = 0; i < buffers.length; i++) {
            DeviceBuffer from = source.buffer(i);
            BufferKind kind = i < kinds.size() ? kinds.get(i) : BufferKind.VARIABLE;
            boolean endOffset = BufferSizes.hasEndOffset(kind, layout);
            if (endOffset && length == 0) {
                buffers[i] = add(Piece.zeros(BufferSizes.byteWidth(kind, layout)));
            } else if (from == null || (kind == BufferKind.VALIDITY && source.getKnownNullCount() == 0)) {
                buffers[i] = null;
            } else if (length == 0) {
                buffers[i] = add(Piece.zeros(0));
            } else if (kind == BufferKind.VALIDITY || (kind == BufferKind.DATA && layout.bitWidth() == 1)) {
                buffers[i] = bytes(from, start >> 3, Bits.byteSize(end - start));
            } else if (kind != BufferKind.VARIABLE) {
                long width = BufferSizes.byteWidth(kind, layout);
                buffers[i] = bytes(from, start * width, (end - start + (endOffset ? 1 : 0)) * width);
            } else if (layout.variadic()) {
                buffers[i] = bytes(from, 0, from.getByteSize());
            } else {
                buffers[i] =
                        variable(source, from, buffers[i - 1], (int) BufferSizes.byteWidth(kinds.get(i - 1), layout));
            }
        }
        Node[] children = new Node[source.getChildCount()];
        for (int i = 0; i < children.length; i++) {
            children[i] = plan(child(source, node, i, start, end - start));
        }
        ArrayData dictionary = source.getDictionary();
        return new Node(
                source.getType(),
                length,
                HostPlanner.isRunEndEncoded(node.type()) ? source.getOffset() : source.getOffset() - start,
                source.getKnownNullCount(),
                buffers,
                children,
                dictionary == null ? null : plan(dictionary));
    }

    private static boolean hasBitmap(ArrayData source, Layout layout) {
        return layout.bitWidth() == 1 || (source.getValidity() != null && source.getKnownNullCount() != 0);
    }

    /**
     * The part of a child that a range of its parent needs. The child of a list is copied whole, because the offsets
     * are not known.
     */
    private static ArrayData child(ArrayData source, ArrayBuffers node, int index, long start, long length) {
        boolean unused = source.getLength() == 0
                && node.childElements() == ArrayBuffers.ADDRESSED
                && !HostPlanner.isRunEndEncoded(node.type());
        return unused ? source.child(index).slice(0, 0) : node.child(index, start, length);
    }

    private Piece add(Piece piece) {
        pieces.add(piece);
        return piece;
    }

    private Piece bytes(DeviceBuffer from, long start, long byteSize) {
        return add(Piece.of(from, byteSize == 0 ? 0 : start, byteSize, false));
    }

    private Piece variable(ArrayData source, DeviceBuffer bytes, @Nullable Piece offsets, int width) {
        long known = bytes.getByteSize();
        DeviceBuffer positions = source.buffer(1);
        long elements = source.getOffset() + source.getLength();
        boolean whole = positions == null || positions.getByteSize() <= (elements + 1) * width;
        boolean partial = rebase && known > WORTH_ASKING && (source.getOffset() > 0 || !whole);
        if (positions == null || offsets == null || (known != DeviceBuffer.UNKNOWN_SIZE && !partial)) {
            return bytes(bytes, 0, Math.max(known, 0));
        }
        Piece piece = add(Piece.unresolved());
        long firstAt = rebase ? readback.add(positions, source.getOffset() * width, width) : -1;
        long lastAt = readback.add(positions, elements * width, width);
        variables.add(new Variable(piece, bytes, offsets, width, firstAt, lastAt));
        return piece;
    }

    /** Uses the offsets that were read. */
    private void resolve(HostMemory read) {
        for (Variable variable : variables) {
            long first = variable.firstAt < 0
                    ? 0
                    : variable.offsets(read, variable.firstAt).get(0);
            long last = variable.offsets(read, variable.lastAt).get(0);
            if (first < 0 || first > last) {
                throw new IllegalArgumentException("the offsets of an array on " + variable.bytes.getDevice()
                        + " go from " + first + " to " + last);
            }
            DeviceBuffer bytes = variable.bytes;
            DeviceBuffer sized = bytes.getByteSize() == DeviceBuffer.UNKNOWN_SIZE
                    ? DeviceBuffer.ofAddress(bytes.getDevice(), bytes.getAddress(), last, bytes.getOwner())
                    : bytes;
            variable.piece.resolve(sized, first, last - first);
        }
    }
}
