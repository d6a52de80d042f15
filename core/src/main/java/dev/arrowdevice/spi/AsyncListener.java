package dev.arrowdevice.spi;

import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.Metadata;

/**
 * Receives a foreign async stream. The producer calls one method at a time, on any of its threads, and waits until it
 * returns; no method may block. All may call {@link AsyncImport#request} and {@link AsyncImport#cancel}.
 *
 * <p>If {@link #onSchema} or {@link #onTask} throws, the stream is refused: the producer gets an error code, and the
 * listener gets the exception by {@link #onError}, then {@link #onRelease}.
 */
public interface AsyncListener {
    /**
     * The stream begins. This is called first, and once, unless the stream begins with {@link #onError}.
     *
     * @param stream for requesting arrays; none arrives before a request
     * @param field the type of the arrays; for batches, a struct
     * @param deviceType the type of the device that all arrays are on
     * @param metadata the metadata of the stream
     */
    void onSchema(AsyncImport stream, Field field, int deviceType, Metadata metadata);

    /**
     * An array is available. The listener owns the task: it must {@linkplain AsyncTask#extract extract} or
     * {@linkplain AsyncTask#discard discard} it, once, now or later, on any thread.
     */
    void onTask(AsyncTask task);

    /** The stream has ended. {@link #onRelease} follows. */
    void onEnd();

    /**
     * The stream has failed. {@link #onRelease} follows. Not called for what a producer reports after our own
     * {@link AsyncImport#cancel}.
     *
     * @param failure a {@link ForeignException}, or a failure on our side
     */
    void onError(RuntimeException failure);

    /** The last call, always, unless the producer forgets it. Tasks stay valid. */
    void onRelease();
}
