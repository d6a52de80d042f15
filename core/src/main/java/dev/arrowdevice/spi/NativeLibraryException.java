package dev.arrowdevice.spi;

import org.jspecify.annotations.Nullable;

/**
 * A native library does not exist, does not load, or lacks a function. The message says what was searched for, and
 * where. It ends without a full stop, so that a caller can append how to install the library.
 */
public final class NativeLibraryException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public NativeLibraryException(String message) {
        this(message, null);
    }

    /** Creates the exception with its cause. */
    public NativeLibraryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
