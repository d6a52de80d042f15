package dev.arrowdevice.testkit;

import org.jspecify.annotations.Nullable;

/**
 * There is no C compiler, or it does not compile the sources. The message says what to install, or has the compiler's
 * output.
 */
public final class CCompilerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CCompilerException(String message) {
        super(message);
    }

    CCompilerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
