package dev.arrowdevice.interop;

import dev.arrowdevice.spi.Diagnostics;
import dev.arrowdevice.spi.ReferenceCounted;

/** What keeps foreign memory alive, as a reference count. */
final class ForeignOwners {
    private ForeignOwners() {}

    /** Closes a foreign owner when the last reference is released. */
    static ReferenceCounted closing(AutoCloseable owner) {
        return new ReferenceCounted() {
            @Override
            protected void free() {
                try {
                    owner.close();
                } catch (Exception e) {
                    if (e instanceof InterruptedException) {
                        Thread.currentThread().interrupt();
                    }
                    // A release never throws: who releases last is often somebody else, on another thread.
                    Diagnostics.lateFailure(e);
                }
            }
        };
    }
}
