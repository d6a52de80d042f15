package dev.arrowdevice.internal.memory;

import dev.arrowdevice.internal.diagnostics.Log;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports the owners that are still there when the JVM ends, grouped by what they are and where they were made. */
final class ForgottenOwners {
    private static final int MOST_GROUPS = 20;
    private static final int MOST_FRAMES = 8;

    /** The package of users, also if this library was relocated. */
    private static final String BASE = base();

    private static final List<String> OURS =
            List.of("", ".builder", ".interop", ".spi", ".coroutines", ".cuda", ".rocm", ".oneapi", ".python");

    private ForgottenOwners() {}

    /** Ensures that the report will be made. */
    static void reportAtExit(Supplier<List<Leaks.Watch>> owners) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> report(owners), "arrow-device-owners"));
        } catch (IllegalStateException e) {
            // The JVM is shutting down already.
        }
    }

    /** Other hooks run at the same time. They may close owners, and have a second for that. */
    private static void report(Supplier<List<Leaks.Watch>> owners) {
        long deadline = System.nanoTime() + 1_000_000_000L;
        while (!owners.get().isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(5_000_000L);
        }
        List<Leaks.Watch> left = owners.get();
        if (!left.isEmpty()) {
            Log.LEAKS.report(text(left));
        }
    }

    /** The owners of one group. */
    private static final class Group {
        final Lost first;
        final List<String> frames;
        long count;
        long rows;
        long bytes;

        Group(Lost first, List<String> frames) {
            this.first = first;
            this.frames = frames;
        }

        void add(Lost lost) {
            count++;
            rows += lost.rows();
            bytes += lost.bytes();
        }

        void write(StringBuilder out) {
            out.append("\n  ").append(count).append(" × ").append(new Lost(first.what(), first.of(), rows, bytes));
            for (int i = 0; i < frames.size() && i < MOST_FRAMES; i++) {
                out.append(i == 0 ? "\n    made at " : "\n         at ").append(frames.get(i));
            }
        }
    }

    private static String text(List<Leaks.Watch> owners) {
        Map<List<Object>, Group> groups = new LinkedHashMap<>();
        boolean traced = false;
        long bytes = 0;
        for (Leaks.Watch owner : owners) {
            Lost lost = owner.lost();
            List<String> frames = frames(owner.allocation());
            traced |= !frames.isEmpty();
            bytes += lost.bytes();
            groups.computeIfAbsent(List.of(lost.what(), lost.of(), frames), key -> new Group(lost, frames))
                    .add(lost);
        }
        StringBuilder out = new StringBuilder()
                .append(owners.size())
                .append(owners.size() == 1 ? " owner is" : " owners are")
                .append(" not closed at JVM shutdown; the buffers have ")
                .append(bytes)
                .append(" bytes; close() each, or write use { }");
        if (!traced) {
            out.append(" (run with -Ddev.arrowdevice.leakStacks=true to see where they were made)");
        }
        groups.values().stream()
                .sorted((a, b) -> Long.compare(b.bytes, a.bytes))
                .limit(MOST_GROUPS)
                .forEach(group -> group.write(out));
        if (groups.size() > MOST_GROUPS) {
            out.append("\n  … and ").append(groups.size() - MOST_GROUPS).append(" other kinds");
        }
        return out.toString();
    }

    /** The frames of a stack from the user's first one on; all of them if none is the user's. */
    private static List<String> frames(@Nullable Throwable allocation) {
        List<String> frames = new ArrayList<>();
        if (allocation != null) {
            StackTraceElement[] stack = allocation.getStackTrace();
            int first = 0;
            while (first < stack.length && isOurs(stack[first].getClassName())) {
                first++;
            }
            for (int i = first == stack.length ? 0 : first; i < stack.length; i++) {
                frames.add(stack[i].toString());
            }
        }
        return frames;
    }

    private static boolean isOurs(String className) {
        int dot = className.lastIndexOf('.');
        String name = dot < 0 ? "" : className.substring(0, dot);
        return name.startsWith("kotlin.")
                || name.startsWith("java.")
                || name.startsWith(BASE + ".internal.")
                || (name.startsWith(BASE) && OURS.contains(name.substring(BASE.length())));
    }

    private static String base() {
        String name = ForgottenOwners.class.getName();
        int end = name.indexOf(".internal.");
        return end < 0 ? name : name.substring(0, end);
    }
}
