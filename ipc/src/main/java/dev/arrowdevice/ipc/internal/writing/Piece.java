package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.spi.HostMemory;

/**
 * Bytes of a body.
 *
 * @param memory where they are
 * @param offset where they begin
 * @param byteSize how many they are, without padding
 */
record Piece(HostMemory memory, long offset, long byteSize) {
    static final Piece EMPTY = new Piece(HostMemory.EMPTY, 0, 0);
}
