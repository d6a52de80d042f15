package dev.arrowdevice.ipc.internal.format;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How much text the metadata of one message may make: names, time zones, keys and values. Offsets may lead to the same text
 * any number of times, so a small message could otherwise make any amount of it. Writers may share text, within reason.
 */
final class TextBudget {
    /** What any message may make. */
    private static final long FREE = 1L << 20;
    /** What it may make for each of its bytes. */
    private static final int FOR_EACH_BYTE = 4;

    private final long limit;
    private long used;

    /**
     * A budget for one message.
     *
     * @param flat the metadata, from position to limit
     */
    TextBudget(ByteBuffer flat) {
        this.limit = FREE + (long) FOR_EACH_BYTE * flat.remaining();
    }

    /** Takes the bytes of a text from the budget, before they are copied. */
    void take(@Nullable ByteBuffer text) {
        if (text == null) {
            return;
        }
        used += text.remaining();
        if (used > limit) {
            throw new IllegalArgumentException("the text of the metadata has more than " + limit
                    + " bytes, far more than the message itself: its parts lead to the same text again and again");
        }
    }
}
