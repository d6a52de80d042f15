package dev.arrowdevice;

import dev.arrowdevice.spi.Errno;

/** A foreign producer reported a failure. */
public final class ForeignException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The code that the producer returned. */
    private final int errno;

    private final transient Metadata metadata;

    /**
     * Creates the exception.
     *
     * @param operation the callback that failed
     * @param errno the code that it returned
     * @param text the producer's message
     */
    public ForeignException(String operation, int errno, String text) {
        this(operation, errno, text, Metadata.EMPTY);
    }

    /** Creates the exception with the key-value pairs that the producer of an async stream has added. */
    public ForeignException(String operation, int errno, String text, Metadata metadata) {
        super("[" + operation + "][" + Errno.name(errno) + "] " + text);
        this.errno = errno;
        this.metadata = metadata;
    }

    /** The code that the producer returned, unchanged. */
    public int getErrno() {
        return errno;
    }

    /** The key-value pairs that the producer of an async stream has added; empty otherwise. */
    public Metadata getMetadata() {
        return metadata;
    }
}
