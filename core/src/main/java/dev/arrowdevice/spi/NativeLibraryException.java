package dev.arrowdevice.spi;

import org.jspecify.annotations.Nullable;

/**
 * A native library is not there or does not load, or lacks a function. The message says what was looked for and where; it ends
 * without a full stop, so that the one who knows how the library is installed can go on.
 */
public final class NativeLibraryException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Makes one. */
    public NativeLibraryException(String message) {
        this(message, null);
    }

    /** Makes one with a cause. */
    public NativeLibraryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
