package dev.arrowdevice.peers;

/** What a consumer of the async device stream does besides taking tasks. */
public enum PeerAsyncHabit {
    /** Extracts within {@code on_next_task}. */
    EXTRACTS_INLINE,
    /** Extracts on a thread of its own, as tasks come. */
    EXTRACTS_ON_THREAD,
    /** Requests one more within each {@code on_next_task}. */
    REQUESTS_INLINE,
    /** Requests one more after each task that it has extracted, even after {@code release}, as Arrow C++ and arrow-go. */
    REQUESTS_LATE,
    /** Requests 0 within {@code on_schema}. */
    REQUESTS_ZERO,
    /** Requests -1 within {@code on_schema}. */
    REQUESTS_NEGATIVE,
    /** Neither moves the schema nor releases it. */
    LEAVES_SCHEMA,
    /** Passes NULL to {@code extract_data} wherever it would extract. */
    DISCARDS,
    /** Calls {@code extract_data} a second time. */
    EXTRACTS_TWICE,
    /** Cancels within {@code on_schema}. */
    CANCELS_IN_SCHEMA,
    /** Requests three more after it has cancelled within {@code on_next_task}. */
    REQUESTS_AFTER_CANCEL;

    long bit() {
        return 1L << ordinal();
    }
}
