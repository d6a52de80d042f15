package dev.arrowdevice.peers;

import org.jspecify.annotations.Nullable;

/** The C peer can't be built or loaded, or refused a call; the message says why. */
public final class CPeerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CPeerException(String message) {
        super(message);
    }

    CPeerException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
