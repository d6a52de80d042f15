package dev.arrowdevice.internal.copying;

import dev.arrowdevice.internal.copying.CopyPlan.Copy;
import dev.arrowdevice.internal.copying.CopyPlan.Piece;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceQueue;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.HostMemory;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Transfers what the host writes in parts, so that it writes one while the device copies another, and needs little pinned memory.
 * A block is written again when its copy is over. If none is free, the caller of a copy that waits anyway waits for the oldest;
 * otherwise there is one more block, because an asynchronous copy must not wait for what is queued before it.
 */
final class StagingRing implements AutoCloseable {
    /** The size of a block: enough that its copy takes much longer than to queue it. */
    static final long BLOCK = 1 << 22;

    /** What is smaller goes at once. */
    static final long LARGE = 2 * BLOCK;

    private static final int BLOCKS = 4;

    private final DeviceRuntime mover;
    private final DeviceQueue queue;
    private final boolean waits;
    private final Consumer<DeviceBuffer> made;
    private final Consumer<Copy> queued;
    private final ArrayDeque<Busy> busy = new ArrayDeque<>();
    private @Nullable DeviceBuffer block;
    /** The place of the block in the target. */
    private long start;
    /** The end there of what has been written. */
    private long end;

    private record Busy(DeviceBuffer block, DeviceEvent copied) {}

    /**
     * Prepares a transfer.
     *
     * @param waits whether the caller waits for its end
     * @param made gets each block, to release it when the queue's work is over
     * @param queued queues a copy
     */
    StagingRing(
            DeviceRuntime mover, DeviceQueue queue, boolean waits, Consumer<DeviceBuffer> made, Consumer<Copy> queued) {
        this.mover = mover;
        this.queue = queue;
        this.waits = waits;
        this.made = made;
        this.queued = queued;
    }

    /** Writes a piece, and queues the copies of blocks that are full. Pieces come in the order of their places. */
    void write(Piece piece) {
        if (piece.isComputed()) {
            writeAtOnce(piece);
            return;
        }
        long size = piece.paddedSize();
        for (long done = 0; done < size; ) {
            HostMemory memory = open(piece.at + done);
            long part = Math.min(size - done, BLOCK - (end - start));
            piece.writePart(done, part, memory, end - start);
            done += part;
            wrote(part);
        }
    }

    private void writeAtOnce(Piece piece) {
        long size = piece.paddedSize();
        if (block != null && size > BLOCK - (end - start)) {
            flush();
        }
        if (size > BLOCK) {
            DeviceBuffer own = mover.allocateForCopy(size);
            made.accept(own);
            piece.writeTo(own.memory(), 0);
            queued.accept(new Copy(own, 0, piece.at, size));
        } else {
            piece.writeTo(open(piece.at), end - start);
            wrote(size);
        }
    }

    private HostMemory open(long at) {
        DeviceBuffer current = block;
        if (current == null) {
            current = next();
            block = current;
            start = at;
            end = at;
        }
        return current.memory();
    }

    private void wrote(long size) {
        end += size;
        if (end - start == BLOCK) {
            flush();
        }
    }

    /** Queues the copy of the block. */
    void flush() {
        DeviceBuffer written = block;
        if (written != null) {
            block = null;
            queued.accept(new Copy(written, 0, start, end - start));
            busy.addLast(new Busy(written, mover.record(queue)));
        }
    }

    private DeviceBuffer next() {
        Busy oldest = busy.peekFirst();
        if (oldest != null && isFree(oldest)) {
            busy.removeFirst();
            oldest.copied().close();
            return oldest.block();
        }
        DeviceBuffer more = mover.allocateForCopy(BLOCK);
        made.accept(more);
        return more;
    }

    private boolean isFree(Busy oldest) {
        if (waits && busy.size() >= BLOCKS) {
            oldest.copied().await();
            return true;
        }
        return oldest.copied().isComplete();
    }

    /** Closes the events. The blocks belong to the caller. */
    @Override
    public void close() {
        busy.forEach(each -> each.copied().close());
    }
}
