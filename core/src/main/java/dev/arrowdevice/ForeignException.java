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
     * @param text what the producer says about it
     */
    public ForeignException(String operation, int errno, String text) {
        this(operation, errno, text, Metadata.EMPTY);
    }

    /** Creates the exception with what the producer of an async stream adds as key-value pairs. */
    public ForeignException(String operation, int errno, String text, Metadata metadata) {
        super("[" + operation + "][" + Errno.name(errno) + "] " + text);
        this.errno = errno;
        this.metadata = metadata;
    }

    /** The code that the producer returned, as it was. */
    public int getErrno() {
        return errno;
    }

    /** What the producer of an async stream says about its failure as key-value pairs; empty otherwise. */
    public Metadata getMetadata() {
        return metadata;
    }
}
