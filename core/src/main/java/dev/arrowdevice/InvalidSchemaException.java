package dev.arrowdevice;

import org.jspecify.annotations.Nullable;

/**
 * The Arrow specification does not allow a type, field, schema, format string or metadata block. The message says what
 * was expected and, for text and bytes, the position (from 0).
 */
public class InvalidSchemaException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidSchemaException(String message) {
        super(message);
    }

    public InvalidSchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
