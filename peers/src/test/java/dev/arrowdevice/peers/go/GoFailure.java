package dev.arrowdevice.peers.go;

import org.jspecify.annotations.Nullable;

/**
 * What arrow-go says of a failure to its own side.
 *
 * @param code what a producer gave to {@code on_error}; -1 for any other failure
 */
public record GoFailure(long code, String text) {
    static @Nullable GoFailure of(long job) {
        GoLibrary.Text text = GoLibrary.text(GoLibrary.ERROR, job);
        return text.result() == 0 ? null : new GoFailure(text.result(), text.text());
    }
}
