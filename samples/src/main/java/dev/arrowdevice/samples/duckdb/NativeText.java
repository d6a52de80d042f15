package dev.arrowdevice.samples.duckdb;

import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeMemory;
import java.nio.charset.StandardCharsets;

/**
 * DuckDB's view of a text, {@code struct duckdb_v2_str}: the address of UTF-8 bytes and their count, without a
 * terminator.
 */
final class NativeText implements AutoCloseable {
    private static final long BYTES = 0;
    private static final long LENGTH = 8;
    private static final long SIZE = 16;

    private final NativeAllocation bytes;
    private final NativeAllocation view;

    /** A text for the time of a call. */
    NativeText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        bytes = NativeAllocation.ofBytes(utf8);
        view = NativeAllocation.ofLongs(bytes.getAddress(), utf8.length);
    }

    long view() {
        return view.getAddress();
    }

    @Override
    public void close() {
        view.close();
        bytes.close();
    }

    static NativeAllocation emptyView() {
        return NativeAllocation.allocate(SIZE);
    }

    static String read(NativeAllocation view) {
        byte[] utf8 = NativeMemory.getBytes(view.getLong(BYTES), Math.toIntExact(view.getLong(LENGTH)));
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
