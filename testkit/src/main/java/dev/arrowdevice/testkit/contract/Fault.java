package dev.arrowdevice.testkit.contract;

/** A failure that a {@link DeviceSubject} can cause. */
public enum Fault {
    /** The next allocation of device memory fails for lack of memory. */
    ALLOCATE,
    /** The next allocation of device memory in the order of a queue fails for lack of memory. */
    ALLOCATE_ASYNC,
    /** The next allocation of staging memory fails for lack of memory. */
    ALLOCATE_STAGING,
    /** The next creation of a queue fails. */
    CREATE_QUEUE,
    /** The next recording of an event fails. */
    RECORD,
    /** The next call that waits for an event is refused. The work before the event goes on. */
    AWAIT,
    /** The next call that asks whether an event is complete is refused. The work before the event goes on. */
    IS_COMPLETE,
    /** The next call that waits for a queue is refused. The queue's work goes on. */
    SYNCHRONIZE,
    /** The next copy fails when its queue runs it. The call that queues it succeeds. */
    COPY,
    /** Everything fails from now on: the device is lost, for the rest of the case. */
    LOST
}
