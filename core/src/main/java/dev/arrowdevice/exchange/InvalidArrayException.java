package dev.arrowdevice.exchange;

/**
 * Foreign array data breaks the specification. The message starts with the path of the field within the array. What was
 * imported has been released.
 */
public final class InvalidArrayException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String problem;

    InvalidArrayException(String problem) {
        this("", problem);
    }

    private InvalidArrayException(String path, String problem) {
        super(path.isEmpty() ? problem : path + ": " + problem);
        this.path = path;
        this.problem = problem;
    }

    /** The same problem, seen from the parent of the array that has it. */
    InvalidArrayException within(String child) {
        return new InvalidArrayException(path.isEmpty() ? child : child + "." + path, problem);
    }
}
