package dev.arrowdevice.peers;

/** A compiler, a package that a program needs, or the version of either that it needs, is not to be had here. */
public final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
        super(message);
    }
}
