package dev.arrowdevice.exchange;

/** A foreign producer reported a failure. */
public final class ForeignException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code that the producer returned. */
    private final int errno;

    /**
     * Creates the exception.
     *
     * @param operation the callback that failed
     * @param errno the code that it returned
     * @param text what the producer says about it
     */
    public ForeignException(String operation, int errno, String text) {
        super("[" + operation + "][" + Errno.name(errno) + "] " + text);
        this.errno = errno;
    }

    /** The code that the producer returned, as it was. */
    public int errno() {
        return errno;
    }
}
