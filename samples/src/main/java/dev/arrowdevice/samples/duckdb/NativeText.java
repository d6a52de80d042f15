package dev.arrowdevice.samples.duckdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * DuckDB's view of a text, {@code struct duckdb_v2_str}: the address of UTF-8 bytes and their count, without a
 * terminator.
 */
final class NativeText {
    private static final long BYTES = 0;
    private static final long LENGTH = 8;
    private static final long SIZE = 16;

    private NativeText() {}

    static MemorySegment emptyView(Arena arena) {
        return arena.allocate(SIZE, 8);
    }

    /** The address of a view of {@code text}, both alive as long as the arena. */
    static long view(Arena arena, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment view = emptyView(arena);
        view.set(
                ValueLayout.JAVA_LONG,
                BYTES,
                arena.allocateFrom(ValueLayout.JAVA_BYTE, utf8).address());
        view.set(ValueLayout.JAVA_LONG, LENGTH, utf8.length);
        return view.address();
    }

    static String read(MemorySegment view) {
        return utf8(view.get(ValueLayout.JAVA_LONG, BYTES), view.get(ValueLayout.JAVA_LONG, LENGTH));
    }

    @SuppressWarnings("restricted") // DuckDB says how many bytes are there
    private static String utf8(long address, long length) {
        byte[] bytes = MemorySegment.ofAddress(address).reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
