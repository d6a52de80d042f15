package dev.arrowdevice.internal.abi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects by numbers that are never used twice, so a stale number finds nothing. Every exchanged array passes through
 * such tables. Neither adding nor removing costs an atomic operation, unless many threads add. All methods may be called
 * from any thread.
 *
 * <p>The parts of a number, from its high bits to its low ones, are the use of the slot, the slot and the stripe. Only
 * one thread adds to a stripe that it {@linkplain StripeOwners owns}; the others share the rest. The slots of a stripe
 * are in chunks, each twice as large as the one before. Chunks are never freed.
 */
public final class SlotTable<T> {
    private static final int STRIPE_BITS = 6;
    static final int STRIPES = 1 << STRIPE_BITS;
    private static final int SLOT_BITS = 26;
    private static final int USE_SHIFT = STRIPE_BITS + SLOT_BITS;
    private static final long LAST_USE = Long.MAX_VALUE >>> USE_SHIFT;
    private static final int FIRST_CHUNK_BITS = 6;
    /** The number of chunks whose slots a number can name. */
    static final int CHUNKS = SLOT_BITS - FIRST_CHUNK_BITS;
    /**
     * How many random slots are tried before the table grows. So the table becomes a few times larger than the number
     * of its objects: if it is half full, all 16 slots are taken once in 65,000 times.
     */
    private static final int TRIES = 16;

    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle OBJECT = MethodHandles.arrayElementVarHandle(Object[].class);

    private final StripeOwners owners;

    /** Those with an owner first. */
    private final Stripe[] stripes;

    /** Makes an empty table. */
    public SlotTable() {
        this(StripeOwners.OF_ALL_TABLES);
    }

    SlotTable(StripeOwners owners) {
        this.owners = owners;
        stripes = new Stripe[owners.count() == 0 ? 1 : 2 * owners.count()];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    /**
     * Adds an object and returns its number, which is above 0.
     *
     * @throws OutOfMemoryError if one thread has added tens of millions of objects that are still there
     */
    @SuppressWarnings("deprecation") // Of getId, because Java 17 has no other.
    public long add(T object) {
        Thread current = Thread.currentThread();
        int owned = owners.count();
        // Threads that were started one after the other get stripes of their own; any other number is as right.
        int stripe = (int) current.getId() & owned - 1;
        if (owned == 0) {
            return stripes[0].add(object, false);
        }
        if (owners.owns(current, stripe)) {
            return stripes[stripe].add(object, true) | stripe;
        }
        return stripes[owned + stripe].add(object, false) | owned + stripe;
    }

    /** The object of a number, or null if it was removed or never added. */
    @SuppressWarnings("unchecked")
    public @Nullable T get(long number) {
        return (T) stripeOf(number).get(slot(number), number >>> USE_SHIFT);
    }

    /** Removes the object of a number of {@link #add}. Called once. */
    public void remove(long number) {
        stripeOf(number).remove(slot(number));
    }

    /** Passes on the objects in the table. An object that is added or removed meanwhile may be among them or not. */
    public void forEach(Consumer<? super T> action) {
        for (Stripe stripe : stripes) {
            stripe.forEach(action);
        }
    }

    /** The objects in the table. An object that is added or removed meanwhile may be among them or not. */
    public List<T> objects() {
        List<T> objects = new ArrayList<>();
        forEach(objects::add);
        return objects;
    }

    /** The number of objects in the table. Exact once the threads that add and remove have finished. */
    public long size() {
        long size = 0;
        for (Stripe stripe : stripes) {
            size += stripe.size();
        }
        return size;
    }

    /** The number of objects that were ever added. Exact once the threads that add have finished. */
    public long added() {
        long added = 0;
        for (Stripe stripe : stripes) {
            added += stripe.added();
        }
        return added;
    }

    private Stripe stripeOf(long number) {
        return stripes[(int) number & stripes.length - 1];
    }

    /** The stripe of a number, below {@link #STRIPES}. */
    static int stripe(long number) {
        return (int) number & STRIPES - 1;
    }

    /** The slot of a number within its stripe. One object has it at a time. */
    static int slot(long number) {
        return (int) (number >>> STRIPE_BITS) & (1 << SLOT_BITS) - 1;
    }

    /** The chunks begin at slots 0, 64, 192, 448, … */
    static int chunkOf(int slot) {
        return 31 - FIRST_CHUNK_BITS - Integer.numberOfLeadingZeros(slot + (1 << FIRST_CHUNK_BITS));
    }

    static int index(int slot) {
        int fromStart = slot + (1 << FIRST_CHUNK_BITS);
        return fromStart - Integer.highestOneBit(fromStart);
    }

    /** The number of slots of the chunk of a slot. */
    static int chunkSize(int slot) {
        return Integer.highestOneBit(slot + (1 << FIRST_CHUNK_BITS));
    }

    private static final class Chunk {
        final @Nullable Object[] objects;
        /** For each slot, how often it was taken and freed: odd while it is taken. */
        final long[] counts;

        Chunk(int size) {
            objects = new Object[size];
            counts = new long[size];
        }
    }

    /**
     * Cache lines that nobody writes. Processors take memory from each other by one line or by two. The JVM may reorder
     * the fields of a class, but not across those of its superclass. The first field fills the gap after the object's
     * header, where the JVM would otherwise put a field of the next class.
     */
    private abstract static class Padding {
        private int header;
        private long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
    }

    private abstract static class Slots extends Padding {
        /** The slot to try first: the one that became free last, because its memory is near. A hint, without order. */
        int next;

        /** Changes with each slot that is tried at random. Threads may overwrite each other's. */
        int seed;

        /** The number of slots. */
        volatile int capacity;

        /** One more than is ever used, because numbers that were never returned may refer to it. */
        final @Nullable Chunk[] chunks = new Chunk[CHUNKS + 1];
    }

    /** The fields that all threads of a stripe write, away from what other threads write. */
    private static final class Stripe extends Slots {
        private long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;

        /** @param alone whether only the current thread adds to this stripe */
        long add(Object object, boolean alone) {
            int known = capacity;
            int slot = next;
            for (int tries = 0; true; tries++) {
                if (slot < known) {
                    long number = add(object, slot, alone);
                    if (number != 0) {
                        return number;
                    }
                }
                if (known == 0 || tries == TRIES) {
                    slot = grow(known);
                    known = capacity;
                    tries = 0;
                } else {
                    slot = any(known);
                }
            }
        }

        /** Takes a slot for an object, and returns the object's number, or 0 if the slot is taken. */
        private long add(Object object, int slot, boolean alone) {
            Chunk chunk = chunk(slot);
            int index = index(slot);
            // Who removed the last object had cleared the slot before.
            long seen = (long) COUNT.getAcquire(chunk.counts, index);
            if ((seen & 1) != 0) {
                return 0;
            }
            if (alone) {
                chunk.counts[index] = seen + 1;
            } else if (!COUNT.compareAndSet(chunk.counts, index, seen, seen + 1)) {
                return 0;
            }
            next = slot + 1;
            OBJECT.setRelease(chunk.objects, index, object);
            return (seen >>> 1) + 1 << USE_SHIFT | (long) slot << STRIPE_BITS;
        }

        /**
         * Some slot, at random, because slots that stay taken are neighbours. Another one each time: who always begins with the same
         * slot would find the same few slots, all taken, and make the table larger for each few objects that stay.
         */
        private int any(int capacity) {
            seed += 0x9E3779B9;
            int mixed = (seed ^ seed >>> 16) * 0x85EBCA6B;
            mixed = (mixed ^ mixed >>> 13) * 0xC2B2AE35;
            mixed ^= mixed >>> 16;
            return (int) ((mixed & 0xFFFFFFFFL) * capacity >>> 32);
        }

        @Nullable
        Object get(int slot, long use) {
            Chunk chunk = (Chunk) OBJECT.getAcquire(chunks, chunkOf(slot));
            if (chunk == null) {
                return null;
            }
            // The object first, so that its use is not older than the count that is read after it.
            Object object = OBJECT.getAcquire(chunk.objects, index(slot));
            return chunk.counts[index(slot)] == (use << 1) - 1 ? object : null;
        }

        void remove(int slot) {
            Chunk chunk = chunk(slot);
            int index = index(slot);
            chunk.objects[index] = null;
            long count = chunk.counts[index];
            if (count >>> 1 < LAST_USE - 1) { // Otherwise the slot has no numbers left, and stays taken.
                COUNT.setRelease(chunk.counts, index, count + 1);
                next = slot;
            }
        }

        /** Adds slots, unless another thread has, and returns one that was free. */
        private synchronized int grow(int seen) {
            if (capacity != seen) {
                return seen;
            }
            int number = chunkOf(seen);
            if (number == CHUNKS) {
                return lastFree();
            }
            int size = 1 << FIRST_CHUNK_BITS + number;
            OBJECT.setRelease(chunks, number, new Chunk(size));
            capacity = seen + size;
            return seen;
        }

        private int lastFree() {
            for (int slot = 0; slot < capacity; slot++) {
                if ((chunk(slot).counts[index(slot)] & 1) == 0) {
                    return slot;
                }
            }
            throw new OutOfMemoryError("too many arrays and streams are open");
        }

        @SuppressWarnings("unchecked")
        <T> void forEach(Consumer<? super T> action) {
            for (Chunk chunk : chunks) {
                for (int i = 0; chunk != null && i < chunk.objects.length; i++) {
                    Object object = OBJECT.getAcquire(chunk.objects, i);
                    if (object != null) {
                        action.accept((T) object);
                    }
                }
            }
        }

        long size() {
            long size = 0;
            for (Chunk chunk : chunks) {
                for (int i = 0; chunk != null && i < chunk.objects.length; i++) {
                    size += OBJECT.getAcquire(chunk.objects, i) == null ? 0 : 1;
                }
            }
            return size;
        }

        long added() {
            long added = 0;
            for (Chunk chunk : chunks) {
                for (int i = 0; chunk != null && i < chunk.counts.length; i++) {
                    added += chunk.counts[i] + 1 >>> 1;
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
    }
}
