package dev.arrowdevice.internal.owners;

import dev.arrowdevice.internal.memory.ForeignUse;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.internal.memory.Lost;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state of one owner, and its one reference to the memory.
 *
 * <pre>
 *   state     | meaning                           | goes to
 *   LIVE      | may be read, shared, moved,       | MOVING, RELEASED, MOVED (the consumer took a block's export)
 *             | exported by a block               |
 *   MOVING    | a move is being prepared          | MOVED (it succeeded), LIVE (it failed)
 *   MOVED     | another owner has the memory      | -
 *   RELEASED  | closed                            | -
 * </pre>
 *
 * A getter begins and ends a read. {@code close} during reads lets new ones fail at once, and releases the reference
 * when the last read ends. So a read returns data or throws an exception, but never sees freed memory.
 *
 * <p>The search for leaks watches this object. The state is in an object of its own, which the search keeps.
 */
public final class Ownership {
    private static final int LIVE = 0;
    private static final int MOVING = 1;
    private static final int MOVED = 2;
    private static final int RELEASED = 3;
    private static final int STATE_MASK = 3;
    /** The bit that differs between the two. */
    private static final int MOVED_OR_RELEASED = MOVED ^ RELEASED;
    /** A block exports the memory: it may be read and closed, but not moved. */
    private static final int EXPORTING = 4;

    private static final int ONE_READ = 8;

    public final State state;

    /** @param data what is owned, for reports */
    public Ownership(ReferenceCounted owner, @Nullable DeviceEvent ready, ArrayData data) {
        this.state = new State(this, owner, ready, data);
    }

    public static final class State extends Leaks.Watch {
        private static final VarHandle WORD;

        static {
            try {
                WORD = MethodHandles.lookup().findVarHandle(State.class, "word", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final ReferenceCounted owner;
        private final @Nullable DeviceEvent ready;
        private final ArrayData data;

        /** Ends a foreign use of the memory, of which nobody reports the end; null if there was none. */
        private @Nullable DeviceRuntime lender;

        /** The message for a use after a borrow has ended; null for owners that are not borrowed. */
        private volatile @Nullable String advice;

        /**
         * The state in the two low bits, whether a block exports the memory in the next one, and the number of reads
         * above.
         */
        private volatile int word; // LIVE is 0: writing it here would cost a memory barrier.

        private State(Ownership ownership, ReferenceCounted owner, @Nullable DeviceEvent ready, ArrayData data) {
            super(ownership);
            this.data = data;
            this.owner = owner;
            this.ready = ready;
        }

        public @Nullable DeviceEvent ready() {
            return ready;
        }

        /** Notes that foreign code uses the memory until this owner is closed. Its work may end later. */
        public void lend() {
            lender = ForeignUse.of(data.getDevice());
        }

        private void release() {
            DeviceRuntime runtime = lender;
            if (runtime == null) {
                owner.release();
            } else {
                ForeignUse.end(runtime, owner);
            }
        }

        public void beginRead(String operation) {
            beginRead(operation, null);
        }

        /** @param field the name of the field that is read, for the message, or null */
        public void beginRead(String operation, @Nullable String field) {
            int seen;
            do {
                seen = word;
                if ((seen & STATE_MASK) != LIVE) {
                    throw unusable(
                            field == null || field.isEmpty()
                                    ? operation
                                    : operation + " of field " + Brief.quoted(field),
                            seen);
                }
            } while (!WORD.compareAndSet(this, seen, seen + ONE_READ));
        }

        public void endRead() {
            int before = (int) WORD.getAndAdd(this, -ONE_READ);
            // The last read of an owner that was closed meanwhile, or moved by the end of an export.
            if ((before | MOVED_OR_RELEASED) == RELEASED + ONE_READ) {
                release();
            }
        }

        /** Adds a reference to the memory, for another owner. */
        public ReferenceCounted retain(String operation) {
            // This needs no read: if the array is closed meanwhile, the reference is taken before that, or refused.
            int seen = word;
            if ((seen & STATE_MASK) != LIVE) {
                throw unusable(operation, seen);
            }
            if (!owner.tryRetain()) {
                throw unusable(operation, word);
            }
            return owner;
        }

        public boolean close() {
            while (true) {
                int seen = word;
                int state = seen & STATE_MASK;
                if (state == MOVED || state == RELEASED) {
                    return false;
                }
                if (state == MOVING) {
                    Thread.yield(); // Preparing a move never waits, but may count the nulls of a large array.
                } else if (WORD.compareAndSet(this, seen, seen | RELEASED)) {
                    end();
                    if (seen == LIVE) {
                        release();
                    }
                    return true;
                }
            }
        }

        public void endBorrow(String message) {
            advice = message;
            close();
        }

        /** Begins a move, and returns the reference that moves if it succeeds. {@link #endMove} must follow. */
        public ReferenceCounted beginMove(Verb verb) {
            if (!WORD.compareAndSet(this, LIVE, MOVING)) {
                throw immovable(verb, word);
            }
            DeviceRuntime runtime = lender;
            return runtime == null ? owner : ForeignUse.lent(runtime, owner);
        }

        public void endMove(boolean moved) {
            if (moved) {
                end();
            }
            WORD.setRelease(this, moved ? MOVED : LIVE);
        }

        /**
         * Begins an export by a block, and adds a reference to the memory for the export. Only one export can run at a
         * time. Reads continue meanwhile. A close lets new reads fail at once, and keeps the memory until the end.
         * {@link #endBlockExport} must follow.
         */
        public ReferenceCounted beginBlockExport(Verb verb) {
            if (!WORD.compareAndSet(this, LIVE, EXPORTING)) {
                throw immovable(verb, word);
            }
            if (!owner.tryRetain()) {
                endBlockExport(false);
                throw unusable(verb.toString(), RELEASED);
            }
            return owner;
        }

        /**
         * Ends an export by a block.
         *
         * @param taken whether the consumer took the export; then the owner is moved
         */
        public void endBlockExport(boolean taken) {
            int seen;
            int next;
            do {
                seen = word;
                next = seen & ~EXPORTING;
                if (taken && (seen & STATE_MASK) == LIVE) {
                    next |= MOVED;
                }
            } while (!WORD.compareAndSet(this, seen, next));
            if ((seen & STATE_MASK) != (next & STATE_MASK)) {
                end();
            }
            if (next == MOVED || next == RELEASED) {
                release(); // The consumer has a reference of its own. The owner's reference was kept until now.
            }
        }

        public boolean isLive() {
            return (word & STATE_MASK) == LIVE;
        }

        /**
         * {@link #isLive} without a memory barrier, for callers that don't touch the memory afterwards. A change by
         * another thread is seen soon, also by a loop; a change that happened before is seen at once.
         */
        public boolean looksLive() {
            return ((int) WORD.getOpaque(this) & STATE_MASK) == LIVE;
        }

        public String describe() {
            switch (word & STATE_MASK) {
                case LIVE:
                    return "live";
                case MOVING:
                    return "being moved";
                case MOVED:
                    return "moved";
                default:
                    return "released";
            }
        }

        private IllegalStateException immovable(Verb verb, int seen) {
            if ((seen & STATE_MASK) != LIVE) {
                return unusable(verb.toString(), seen);
            }
            return new IllegalStateException(
                    (seen & EXPORTING) != 0
                            ? verb + ": the array is being exported by a block; let the block end before moving it"
                            : verb + ": the array is borrowed; let the borrow or the read end before moving it");
        }

        private IllegalStateException unusable(String operation, int word) {
            switch (word & STATE_MASK) {
                case MOVED:
                    return new IllegalStateException(
                            operation
                                    + ": the array has been moved (exported, or made part of another one); share() it before the move to keep an owner");
                case MOVING:
                    return new IllegalStateException(
                            operation + ": the array is being moved already, by another thread or in the same call");
                default:
                    String known = advice;
                    return new IllegalStateException(operation + ": "
                            + (known == null ? "the array has been closed; share() keeps an owner for later" : known));
            }
        }

        @Override
        protected Lost lost() {
            return new Lost(
                    "an array that was never closed", Brief.type(data.getType()), data.getLength(), bytes(data));
        }

        private static long bytes(ArrayData data) {
            long bytes = 0;
            for (int i = 0; i < data.getBufferCount(); i++) {
                DeviceBuffer buffer = data.buffer(i);
                bytes += buffer == null ? 0 : Math.max(0, buffer.getByteSize());
            }
            for (int i = 0; i < data.getChildCount(); i++) {
                bytes += bytes(data.child(i));
            }
            ArrayData dictionary = data.getDictionary();
            return dictionary == null ? bytes : bytes + bytes(dictionary);
        }

        @Override
        protected boolean releaseLeaked() {
            return close();
        }
    }
}
