package dev.arrowdevice.peers;

/** The C heap as the peer sees it, and memory for structs that a test passes to others. */
public final class PeerHeap {
    PeerHeap() {}

    /**
     * Allocates zeroed memory. With {@code -Dmemory=guarded} it is guarded, as all memory of the peer is.
     *
     * @param byteSize its size in bytes
     * @return its address, a multiple of 8
     */
    public long allocate(long byteSize) {
        return PeerLibrary.API.peer_allocate(byteSize);
    }

    /**
     * Frees memory of {@link #allocate}.
     *
     * @param address its address
     */
    public void free(long address) {
        PeerLibrary.API.peer_deallocate(address);
    }

    /** The bytes of the process's C heap that are in use, by all code; -1 if the C library does not report it. */
    public long bytesInUse() {
        return PeerLibrary.API.peer_heap_bytes();
    }
}
