package dev.arrowdevice.array;

import dev.arrowdevice.memory.HostMemory;

/** Offsets or sizes, of 32 or 64 bits, by element. */
final class OffsetBuffer {
    private final HostMemory memory;
    private final boolean wide;

    OffsetBuffer(HostMemory memory, boolean wide) {
        this.memory = memory;
        this.wide = wide;
    }

    long get(long position) {
        return wide ? memory.getLong(position << 3) : memory.getInt(position << 2);
    }
}
