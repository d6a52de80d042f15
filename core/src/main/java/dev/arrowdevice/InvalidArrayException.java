package dev.arrowdevice;

/**
 * A foreign array breaks the specification. The message starts with the path of the field within the array. The
 * imported array has been released.
 */
public final class InvalidArrayException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final String problem;

    /** A problem of the array itself. */
    public InvalidArrayException(String problem) {
        this("", problem);
    }

    /** A problem of a child, at the path of the names of its fields. */
    public InvalidArrayException(String path, String problem) {
        super(path.isEmpty() ? problem : path + ": " + problem);
        this.path = path;
        this.problem = problem;
    }

    /**
     * The names of the fields from the array down to the one with the problem, joined by dots. Empty for the array
     * itself.
     */
    public String getPath() {
        return path;
    }

    /** The problem, without the path. */
    public String getProblem() {
        return problem;
    }
}
