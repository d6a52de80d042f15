package dev.arrowdevice.peers.go;

import org.jspecify.annotations.Nullable;

/**
 * A failure as arrow-go reports it to Go code.
 *
 * @param code the producer's code for {@code on_error}; -1 for any other failure
 */
public record GoFailure(long code, String text) {
    static @Nullable GoFailure of(long job) {
        GoLibrary.Text text = GoLibrary.text(GoLibrary.ERROR, job);
        return text.result() == 0 ? null : new GoFailure(text.result(), text.text());
    }
}
