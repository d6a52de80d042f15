package dev.arrowdevice.internal.exchange;

/** Describes failures of ours to foreign consumers. */
public final class Failures {
    private Failures() {}

    /** One text for a failure and its causes, for {@code get_last_error}. */
    public static String describe(Throwable failure) {
        StringBuilder text = new StringBuilder();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 10; depth++, cause = cause.getCause()) {
            text.append(depth == 0 ? "" : "; caused by: ")
                    .append(cause.getClass().getSimpleName())
                    .append(": ")
                    .append(cause.getMessage());
        }
        return text.toString();
    }
}
