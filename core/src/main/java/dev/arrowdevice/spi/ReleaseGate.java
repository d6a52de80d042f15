package dev.arrowdevice.spi;

import dev.arrowdevice.ExperimentalArrowApi;

/**
 * Decides whether foreign memory may be released now. For a bridge to a foreign runtime that may end before the
 * process, such as a Python that hosts the JVM: a release after that end would call libraries that are gone. Install a
 * gate with {@link Releases#install}.
 *
 * <p>A gate is asked before each Java call of a foreign {@code release} callback or deleter: of arrays, schemas, streams
 * and DLPack tensors. It is not asked for exports of this JVM that nobody took, whose callbacks are ours. It is not asked before other calls, such as {@code get_next} of a stream.
 *
 * <p>Both methods are called on the thread that releases, which may be any thread. Several threads may call them at a
 * time, and calls may be nested, if a release causes more releases. They must not throw.
 */
@ExperimentalArrowApi
public interface ReleaseGate {
    /**
     * Called before a release. May wait until a release is possible.
     *
     * @return true if the release may run; then {@link #leave} follows on the same thread. False if it may not: then
     *     the foreign callback is never called and its memory leaks, but all of our memory that belongs to it is freed,
     *     and {@link dev.arrowdevice.ArrowCounters} count it as released
     */
    boolean enter();

    /** Called after a release that was let in, also if it failed. */
    void leave();
}
