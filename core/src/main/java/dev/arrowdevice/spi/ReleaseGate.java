package dev.arrowdevice.spi;

/**
 * Decides whether foreign memory may be released now. A bridge to a runtime that ends before the process does, such as a
 * Python that hosts the JVM, installs one with {@link Releases#install}: what is released after the end would call into
 * libraries that are gone.
 *
 * <p>A gate is asked before each call that Java makes of a {@code release} callback or a deleter: of arrays, schemas, streams
 * and DLPack tensors, whoever they came from. Other calls, such as a stream's {@code get_next}, don't ask.
 *
 * <p>Both methods are called on the thread that releases, which may be any, also several at a time, and one within another
 * where a release causes more of them. They must not throw.
 */
public interface ReleaseGate {
    /**
     * Before a release. May wait until a release is possible.
     *
     * @return true if the release may run: then {@link #leave} follows on the same thread. False if it may not: the foreign
     *     callback is never called and its memory leaks, while all of ours that belongs to it is freed and
     *     {@link dev.arrowdevice.ArrowCounters} count it as released
     */
    boolean enter();

    /** After a release that was let in, also if it failed. */
    void leave();
}
