package dev.arrowdevice.adbc.internal.abi;

import dev.arrowdevice.spi.NativeAllocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The texts that are arguments of one call, freed at its end. */
public final class Texts implements AutoCloseable {
    private final List<NativeAllocation> blocks = new ArrayList<>();

    /**
     * The address of a text in UTF-8 with a NUL after it; 0 for null.
     *
     * @throws IllegalArgumentException if the text contains a NUL, which C would take for its end
     */
    public long of(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a text for the driver has a NUL at character " + text.indexOf('\0'));
        }
        return add(NativeAllocation.ofString(text));
    }

    /** The address of addresses of texts, with a NULL after the last; 0 for null. */
    public long ofAll(@Nullable List<String> texts) {
        if (texts == null) {
            return 0;
        }
        long[] addresses = new long[texts.size() + 1];
        for (int i = 0; i < texts.size(); i++) {
            addresses[i] = of(texts.get(i));
        }
        return add(NativeAllocation.ofLongs(addresses));
    }

    /** The address of a copy of bytes. */
    public long ofBytes(byte[] bytes) {
        return add(NativeAllocation.ofBytes(bytes));
    }

    /** The address of 32-bit numbers. */
    public long ofInts(int[] values) {
        return add(NativeAllocation.ofInts(values));
    }

    private long add(NativeAllocation block) {
        blocks.add(block);
        return block.getAddress();
    }

    @Override
    public void close() {
        blocks.forEach(NativeAllocation::close);
    }
}
