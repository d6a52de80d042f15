package dev.arrowdevice.peers;

/** Ways in which a producer of the async device stream departs from the specification, or uses a freedom that it leaves. */
public enum PeerAsyncFault {
    /** {@code on_error} after the consumer's cancel, as Arrow C++ does. */
    ERROR_AFTER_CANCEL,
    /** {@code on_error} after {@code on_schema} or {@code on_next_task} returned an error code, as Arrow C++ does. */
    ERROR_AFTER_REFUSAL,
    /** The failing task returns 0 and leaves the array untouched, as Arrow C++ does. */
    FAILS_SILENTLY,
    /** No {@code on_error} after a task that failed. */
    NO_ERROR_AFTER_TASK,
    /** Looks for the end of the stream only while a request is outstanding, as arrow-go does. */
    END_NEEDS_DEMAND,
    /** The NULL task also after the consumer's cancel, as sedona-db sends it. */
    END_AFTER_CANCEL,
    /** Never calls {@code release}, until {@link PeerAsyncProducer#releaseAfterAll}. */
    NEVER_RELEASES,
    /** {@code handler->producer} is NULL. */
    NULL_PRODUCER,
    /** {@code on_schema} with a NULL schema. */
    NULL_SCHEMA,
    /** Sends one task more than each request asks for. */
    SURPLUS,
    /** {@code request} calls {@code on_next_task}. */
    INLINE_TASKS,
    /** {@code cancel} itself makes all calls that come after it, {@code release} included. */
    CANCELS_INLINE,
    /** {@code on_error} instead of {@code on_schema}. */
    ERROR_FIRST,
    /** {@code release} and nothing else. */
    RELEASE_FIRST,
    /** {@code release} without the NULL task. */
    NO_END,
    /** A task before the schema. */
    TASK_FIRST,
    /** {@code on_schema} a second time. */
    SCHEMA_TWICE,
    /** Releases a schema that the consumer left, as Arrow C++ and arrow-go do; otherwise it leaks. */
    GUARDS_SCHEMA,
    /** The producer is gone just before {@code release} is called, as in arrow-go. */
    FREES_PRODUCER,
    /** Every callback once more after {@code release}. */
    CALLS_AFTER_RELEASE,
    /** The arrays are on another device type than the producer says. */
    WRONG_DEVICE,
    /** The {@code extract_data} of the tasks is NULL. */
    NULL_EXTRACT,
    /** {@code cancel} returns once {@code release} has returned, which another thread calls. */
    CANCEL_AWAITS_RELEASE,
    /** The {@code request} of the producer is NULL. */
    NULL_REQUEST,
    /** The {@code cancel} of the producer is NULL. */
    NULL_CANCEL;

    long bit() {
        return 1L << ordinal();
    }
}
