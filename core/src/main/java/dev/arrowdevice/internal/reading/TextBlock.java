package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.HostMemory;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads UTF-8 texts for one thread. A copy of a short text from memory takes longer than its bytes, so while the caller
 * reads in order, the bytes behind a text are copied with it, in blocks that grow.
 */
final class TextBlock {
    private static final int SMALLEST = 256;
    private static final int LARGEST = 8192;
    private static final int GROWTH = 4;

    /** A caller that skips fewer bytes than this still reads in order. */
    private static final int LARGEST_GAP = 64;

    private byte[] bytes = new byte[0];
    private char[] chars = new char[0];

    /** The memory of the block, and its range there. */
    private @Nullable HostMemory memory;

    private long start;
    private int size;

    /** The offset behind the text that was read last. */
    private long next = -1;

    /** Whether the last text had characters other than ASCII. */
    private boolean wide;

    /**
     * Reads a text.
     *
     * @param offset where it starts, in bytes; checked here like any offset
     * @param byteSize its size, at most that of the memory
     * @return the text, in which each malformed sequence is replaced as {@code String} does it
     */
    String read(HostMemory source, long offset, int byteSize) {
        if (byteSize == 0) {
            return "";
        }
        if (byteSize > LARGEST) {
            byte[] all = new byte[byteSize];
            source.get(offset, all, 0, byteSize);
            return new String(all, StandardCharsets.UTF_8);
        }
        if (source != memory || offset < start || offset - start > size - byteSize) {
            copy(source, offset, byteSize);
        }
        int at = (int) (offset - start);
        next = offset + byteSize;
        return wide ? decodeWide(at, byteSize) : decode(at, byteSize);
    }

    private void copy(HostMemory source, long offset, int byteSize) {
        boolean inOrder = source == memory && offset >= next && offset - next < LARGEST_GAP;
        int wanted = inOrder ? Math.min(Math.max(size * GROWTH, SMALLEST), LARGEST) : byteSize;
        int count = (int) Math.max(byteSize, Math.min(wanted, source.getByteSize() - offset));
        if (bytes.length < count) {
            bytes = new byte[count];
        }
        memory = null; // Until the copy is whole.
        source.get(offset, bytes, 0, count);
        memory = source;
        start = offset;
        size = count;
    }

    private String decode(int at, int byteSize) {
        String text = new String(bytes, at, byteSize, StandardCharsets.UTF_8);
        wide = text.length() != byteSize;
        return text;
    }

    /** As {@link #decode}, but quicker where most characters take several bytes. */
    private String decodeWide(int at, int byteSize) {
        if (chars.length < byteSize) {
            chars = new char[Math.max(byteSize, SMALLEST)];
        }
        int count = Utf8Decoder.decode(bytes, at, byteSize, chars);
        if (count < 0) {
            return decode(at, byteSize);
        }
        wide = count != byteSize;
        return new String(chars, 0, count);
    }
}
