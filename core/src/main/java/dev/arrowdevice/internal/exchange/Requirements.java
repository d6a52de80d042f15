package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.internal.memory.Platform;

/** What every call over the C interface requires. */
public final class Requirements {
    private Requirements() {}

    /** Fails with a clear exception where the C interface can't work, before any class of it is touched. */
    public static void requireForeignMemory(String operation) {
        if (!Platform.HAS_FOREIGN_MEMORY) {
            throw Platform.needsForeignMemory(operation);
        }
    }

    /** Checks the address of a struct that a caller passes. */
    public static void requireAddress(String operation, String parameter, long address) {
        requireForeignMemory(operation);
        if (address == 0) {
            throw new IllegalArgumentException(operation + ": " + parameter + " is NULL");
        }
    }

    /** Checks that a struct to import has a content. */
    public static void requireLive(String struct, boolean live) {
        if (!live) {
            throw new IllegalStateException("the " + struct
                    + " has already been released or moved, or was never filled; it can be imported once");
        }
    }
}
