package dev.arrowdevice.interop;

/**
 * What was given breaks an array interface, or is an array that has no counterpart on the other side. The message names the
 * key or the position and what was found there. What came with it has been released.
 */
public final class InvalidInterfaceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    InvalidInterfaceException(String message) {
        super(message);
    }

    InvalidInterfaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
