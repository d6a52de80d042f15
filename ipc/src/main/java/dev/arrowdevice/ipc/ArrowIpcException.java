package dev.arrowdevice.ipc;

import org.jspecify.annotations.Nullable;

/**
 * Bytes are no Arrow IPC stream or file, are damaged or cut off, are beyond a limit of {@link IpcReadOptions}, or need what is
 * not supported. The message says where, and what the problem is. Nothing that was read from them is leaked.
 */
public final class ArrowIpcException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final long position;
    private final String problem;

    /**
     * Creates the exception.
     *
     * @param position the byte, from the beginning of the stream or file, where the message with the problem begins
     */
    public ArrowIpcException(long position, String problem, @Nullable Throwable cause) {
        super("at byte " + position + ": " + problem, cause);
        this.position = position;
        this.problem = problem;
    }

    /** Creates the exception without a cause. */
    public ArrowIpcException(long position, String problem) {
        this(position, problem, null);
    }

    /** The byte, from the beginning of the stream or file, where the message with the problem begins. */
    public long getPosition() {
        return position;
    }

    /** The problem, without the position. */
    public String getProblem() {
        return problem;
    }
}
