package dev.arrowdevice.spi;

import dev.arrowdevice.Field;
import dev.arrowdevice.ForeignException;
import dev.arrowdevice.Metadata;

/**
 * Receives a foreign async stream. The producer calls one method at a time, each from any of its threads, and waits for
 * it to return: none may block. {@link AsyncImport#request} and {@link AsyncImport#cancel} may be called within.
 *
 * <p>An exception of {@link #onSchema} or {@link #onTask} refuses the stream: the producer is told so, and the listener
 * gets it as {@link #onError}, then {@link #onRelease}.
 */
public interface AsyncListener {
    /**
     * The stream begins; called first, and once, unless it begins with {@link #onError}.
     *
     * @param stream where to ask for arrays: none comes before
     * @param field the type of the arrays; of batches, a struct
     * @param deviceType the type of the device that all arrays are on
     * @param metadata what the producer says about the stream
     */
    void onSchema(AsyncImport stream, Field field, int deviceType, Metadata metadata);

    /**
     * An array is available. The listener owns the task: it must {@linkplain AsyncTask#extract extract} or
     * {@linkplain AsyncTask#discard discard} it, once, now or later, on any thread.
     */
    void onTask(AsyncTask task);

    /** The stream has ended; {@link #onRelease} follows. */
    void onEnd();

    /**
     * The stream has failed; {@link #onRelease} follows. Not called for what a producer reports after our own
     * {@link AsyncImport#cancel}.
     *
     * @param failure a {@link ForeignException}, or what went wrong on our side
     */
    void onError(RuntimeException failure);

    /** The last call, in every case but that of a producer that forgets it. Tasks stay valid. */
    void onRelease();
}
