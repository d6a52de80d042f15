package dev.arrowdevice.peers;

import dev.arrowdevice.spi.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The texts that the C peer allocates, and the reason of its last failure. */
final class PeerText {
    private PeerText() {}

    /** A function of the peer that writes the address of its text. */
    interface Function {
        /**
         * Calls it.
         *
         * @param out where the address of the text goes
         * @return 0, or that it failed
         */
        int call(long out);
    }

    /** The text that a function makes. */
    static String of(Function function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            requireOk(function.call(out.address()));
            long text = out.get(ValueLayout.JAVA_LONG, 0);
            try {
                return NativeMemory.getString(text, Integer.MAX_VALUE);
            } finally {
                PeerLibrary.API.peer_text_free(text);
            }
        }
    }

    /** Throws with the peer's reason if one of its functions has failed. */
    static void requireOk(int status) {
        if (status != 0) {
            throw new CPeerException(NativeMemory.getString(PeerLibrary.API.peer_error(), Integer.MAX_VALUE));
        }
    }
}
