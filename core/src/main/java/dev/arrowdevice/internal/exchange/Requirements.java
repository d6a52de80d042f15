package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.internal.memory.Platform;

/** Checks for every call of the C interface. */
public final class Requirements {
    private Requirements() {}

    /** Fails with a clear exception if the C interface can't work here, before a class of it is loaded. */
    public static void requireNativeAccess(String operation) {
        Platform.requireNativeAccess(operation);
    }

    /** Checks the address of a struct that a caller passes. */
    public static void requireAddress(String operation, String parameter, long address) {
        requireNativeAccess(operation);
        if (address == 0) {
            throw new IllegalArgumentException(operation + ": " + parameter + " is NULL");
        }
    }

    /** Checks that a struct to import has content. */
    public static void requireLive(String struct, boolean live) {
        if (!live) {
            throw new IllegalStateException("the " + struct
                    + " has already been released or moved, or was never filled; it can be imported once");
        }
    }
}
