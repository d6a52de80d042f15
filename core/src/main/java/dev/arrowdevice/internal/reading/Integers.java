package dev.arrowdevice.internal.reading;

import dev.arrowdevice.TypeId;
import dev.arrowdevice.spi.HostMemory;

/** Integers of 8 to 64 bits, by position: run ends and dictionary indices. */
public final class Integers {
    private final HostMemory memory;
    private final TypeId type;

    /** Integers of a type. Any other type is read as 64 bits. */
    public Integers(HostMemory memory, TypeId type) {
        this.memory = memory;
        this.type = type;
    }

    /** The integer at a position. An unsigned one of 64 bits is returned as its bits. */
    public long get(long position) {
        switch (type) {
            case INT8:
                return memory.getByte(position);
            case UINT8:
                return memory.getByte(position) & 0xFF;
            case INT16:
                return memory.getShort(position * 2);
            case UINT16:
                return memory.getShort(position * 2) & 0xFFFF;
            case INT32:
                return memory.getInt(position * 4);
            case UINT32:
                return memory.getInt(position * 4) & 0xFFFF_FFFFL;
            default:
                return memory.getLong(position * 8);
        }
    }
}
