package dev.arrowdevice.abi;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * All that is handed out, by the number that stands in {@code private_data}. Numbers are never used twice, so that a
 * second release of a stale copy finds nothing and does nothing.
 */
public final class Exports {
    private static final Map<Long, Exported> LIVE = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong(1);

    private Exports() {}

    /** Registers what is handed out and returns its number. */
    public static long add(Exported exported) {
        long id = NEXT.getAndIncrement();
        LIVE.put(id, exported);
        return id;
    }

    /** Forgets a number. */
    public static void remove(long id) {
        LIVE.remove(id);
    }

    /** All that is out now. */
    public static List<Exported> live() {
        return List.copyOf(LIVE.values());
    }

    static @Nullable Exported get(long id) {
        return LIVE.get(id);
    }
}
