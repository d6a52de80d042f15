package dev.arrowdevice.internal.reading;

import dev.arrowdevice.spi.HostMemory;

/** Offsets or sizes, of 32 or 64 bits, by element. */
public final class OffsetBuffer {
    private final HostMemory memory;
    private final boolean wide;

    public OffsetBuffer(HostMemory memory, boolean wide) {
        this.memory = memory;
        this.wide = wide;
    }

    public long get(long position) {
        return wide ? memory.getLong(position << 3) : memory.getInt(position << 2);
    }
}
