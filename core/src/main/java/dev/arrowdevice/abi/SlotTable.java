package dev.arrowdevice.abi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects under numbers that are never used twice, so that a stale number finds nothing. Every exchanged array passes
 * through such tables; adding and removing cost one atomic operation each, on a part of the table that few threads
 * share, a third of what a concurrent map takes. All methods may be called from any thread.
 *
 * <p>A number holds, from its high bits to its low ones: which use of its slot it is, the slot, the stripe. A stripe
 * serves some of the threads. Its slots lie in chunks, each twice as large as the one before, which stay; its free slots
 * are a stack, linked through {@link Chunk#below}.
 */
public final class SlotTable<T> {
    private static final int STRIPE_BITS = 4;
    private static final int SLOT_BITS = 26;
    private static final int USE_SHIFT = STRIPE_BITS + SLOT_BITS;
    private static final long LAST_USE = Long.MAX_VALUE >>> USE_SHIFT;
    private static final int FIRST_CHUNK_BITS = 6;
    /** All that begin and end within the slots that a number can name. */
    private static final int CHUNKS = SLOT_BITS - FIRST_CHUNK_BITS;

    private static final VarHandle TOP;
    private static final VarHandle OBJECT = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(Stripe.class, "top", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Stripe[] stripes;

    /** Makes an empty table. */
    public SlotTable() {
        this(1 << STRIPE_BITS);
    }

    /** An empty table of so many stripes, a power of two: with one, all threads meet. */
    SlotTable(int stripeCount) {
        stripes = new Stripe[stripeCount];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    /**
     * Adds an object and returns its number, which is above 0.
     *
     * @throws OutOfMemoryError if tens of millions of objects that one thread added are there
     */
    public long add(T object) {
        int stripe = System.identityHashCode(Thread.currentThread()) & stripes.length - 1;
        return stripes[stripe].add(object) | stripe;
    }

    /** The object of a number; null if it was removed, or there never was one. */
    @SuppressWarnings("unchecked")
    public @Nullable T get(long number) {
        return (T) stripe(number).get(slot(number), number >>> USE_SHIFT);
    }

    /** Removes the object of a number that {@link #add} returned; to be called once. */
    public void remove(long number) {
        stripe(number).remove(slot(number));
    }

    /** The objects that are there; it is left open whether one that is added or removed meanwhile is among them. */
    public List<T> objects() {
        List<T> objects = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.collect(objects);
        }
        return objects;
    }

    /** How many objects were ever added; exact once the threads that add have finished. */
    public long added() {
        long added = 0;
        for (Stripe stripe : stripes) {
            added += stripe.added();
        }
        return added;
    }

    private Stripe stripe(long number) {
        return stripes[(int) number & stripes.length - 1];
    }

    private static int slot(long number) {
        return (int) (number >>> STRIPE_BITS) & (1 << SLOT_BITS) - 1;
    }

    private static final class Chunk {
        final @Nullable Object[] objects;
        /** How often each slot was used. Only who has taken the slot off the stack may write it. */
        final long[] uses;
        /** For each free slot the one below it in the stack, plus 1; 0 for the lowest. */
        final int[] below;

        Chunk(int size) {
            objects = new Object[size];
            uses = new long[size];
            below = new int[size];
        }
    }

    private static final class Stripe {
        /** One more than is ever filled: numbers that were never given may lead there. */
        private final @Nullable Chunk[] chunks = new Chunk[CHUNKS + 1];

        private int chunkCount;

        /**
         * The top of the stack of free slots, plus 1, in the low half, 0 if it is empty. The high half counts the
         * changes: else a thread could mistake a slot that came back for one that was never away.
         */
        private volatile long top;

        long add(Object object) {
            int slot = pop();
            Chunk chunk = chunk(slot);
            int index = index(slot);
            long use = ++chunk.uses[index];
            OBJECT.setRelease(chunk.objects, index, object);
            return use << USE_SHIFT | (long) slot << STRIPE_BITS;
        }

        @Nullable
        Object get(int slot, long use) {
            Chunk chunk = (Chunk) OBJECT.getAcquire(chunks, chunkOf(slot));
            if (chunk == null) {
                return null;
            }
            // The object first: its use can't be older than the use that is read after it.
            Object object = OBJECT.getAcquire(chunk.objects, index(slot));
            return chunk.uses[index(slot)] == use ? object : null;
        }

        void remove(int slot) {
            Chunk chunk = chunk(slot);
            OBJECT.setRelease(chunk.objects, index(slot), null);
            if (chunk.uses[index(slot)] < LAST_USE) {
                push(slot, chunk, slot);
            }
        }

        private int pop() {
            while (true) {
                long seen = top;
                int slot = (int) seen - 1;
                if (slot < 0) {
                    grow();
                } else if (TOP.compareAndSet(this, seen, changed(seen) | chunk(slot).below[index(slot)])) {
                    return slot;
                }
            }
        }

        /** Puts a chain of free slots on the stack. */
        private void push(int first, Chunk chunkOfLast, int last) {
            long seen;
            do {
                seen = top;
                chunkOfLast.below[index(last)] = (int) seen;
            } while (!TOP.compareAndSet(this, seen, changed(seen) | first + 1));
        }

        private static long changed(long top) {
            return (top >>> 32) + 1 << 32;
        }

        private synchronized void grow() {
            if ((int) top != 0) {
                return; // Another thread was faster.
            }
            if (chunkCount == CHUNKS) {
                throw new OutOfMemoryError("too many arrays and streams are open");
            }
            int size = 1 << FIRST_CHUNK_BITS + chunkCount;
            int first = size - (1 << FIRST_CHUNK_BITS);
            Chunk chunk = new Chunk(size);
            for (int i = 0; i < size - 1; i++) {
                chunk.below[i] = first + i + 2;
            }
            OBJECT.setRelease(chunks, chunkCount, chunk);
            chunkCount++;
            push(first, chunk, first + size - 1);
        }

        @SuppressWarnings("unchecked")
        <T> void collect(List<T> objects) {
            for (Chunk chunk : chunks) {
                for (int i = 0; chunk != null && i < chunk.objects.length; i++) {
                    Object object = OBJECT.getAcquire(chunk.objects, i);
                    if (object != null) {
                        objects.add((T) object);
                    }
                }
            }
        }

        long added() {
            long added = 0;
            for (Chunk chunk : chunks) {
                for (int i = 0; chunk != null && i < chunk.uses.length; i++) {
                    added += chunk.uses[i];
                }
            }
            return added;
        }

        private Chunk chunk(int slot) {
            Chunk chunk = (Chunk) OBJECT.getAcquire(chunks, chunkOf(slot));
            if (chunk == null) {
                throw new IllegalStateException("slot " + slot);
            }
            return chunk;
        }

        /** The chunks begin at slots 0, 64, 192, 448, … */
        private static int chunkOf(int slot) {
            return 31 - FIRST_CHUNK_BITS - Integer.numberOfLeadingZeros(slot + (1 << FIRST_CHUNK_BITS));
        }

        private static int index(int slot) {
            int fromStart = slot + (1 << FIRST_CHUNK_BITS);
            return fromStart - Integer.highestOneBit(fromStart);
        }
    }
}
