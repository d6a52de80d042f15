package dev.arrowdevice.testkit.contract;

/** What a {@link DeviceSubject} is asked to let fail. */
public enum Fault {
    /** The next allocation of device memory, for want of room. */
    ALLOCATE,
    /** The next allocation of device memory in the order of a queue, for want of room. */
    ALLOCATE_ASYNC,
    /** The next allocation of staging memory, for want of room. */
    ALLOCATE_STAGING,
    /** The next creation of a queue. */
    CREATE_QUEUE,
    /** The next recording of an event. */
    RECORD,
    /** The next copy, when a queue comes to it: the call that queues it succeeds. */
    COPY,
    /** Everything, from now on: the device is lost, for the rest of the case. */
    LOST
}
