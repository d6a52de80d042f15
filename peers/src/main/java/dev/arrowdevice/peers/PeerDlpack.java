package dev.arrowdevice.peers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * DLPack in the C peer: makes tensors of both structs and reads foreign ones. A tensor that it makes counts as
 * outstanding until its deleter has been called, so {@link ReleaseBalance} finds deleters that were not called or
 * called twice.
 */
public final class PeerDlpack {
    private PeerDlpack() {}

    /**
     * Makes a tensor.
     *
     * @return the address of the struct
     */
    public static long produce(PeerTensor tensor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            PeerText.requireOk(
                    PeerLibrary.API.peer_dlpack_produce(CPeer.struct(arena, tensor.members()), out.address()));
            return out.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * What a consumer in C reads: flags (of the versioned struct), device, type and the values, or their address if it
     * can't read them.
     *
     * @param versioned which struct it is
     */
    public static String render(long address, boolean versioned) {
        return PeerText.of(out -> PeerLibrary.API.peer_dlpack_render(address, versioned ? 1 : 0, out));
    }

    /** Calls the deleter. */
    public static void delete(long address, boolean versioned) {
        PeerLibrary.API.peer_dlpack_delete(address, versioned ? 1 : 0);
    }

    /** Sizes and offsets of the structs as the C compiler sees them, in the lines of {@link CPeer#abiLayout}. */
    public static String layout() {
        return PeerText.of(out -> PeerLibrary.API.peer_dlpack_layout(out));
    }
}
