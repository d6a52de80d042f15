package dev.arrowdevice.testkit;

/**
 * What the documentation of CUDA and HIP allows a driver, or programs have seen drivers do, and a {@link SimulatedDriver}
 * does only if it is asked to. All of them can be set together.
 */
public enum SimulatedDriverMode {
    /**
     * A copy from host memory to host memory, also to or from pinned and managed memory, and one from the device to
     * pageable memory return when the copy is done, although they are called asynchronous.
     */
    SYNCHRONOUS_HOST_COPIES,
    /** Allocating pinned memory, and freeing memory other than in the order of a stream, wait for all streams. */
    IMPLICIT_SYNCHRONIZATION,
    /** One host function runs at a time: while one blocks, those of other streams wait. */
    SERIAL_CALLBACKS,
    /** While a host function runs, calls that queue copies and host functions wait. */
    BLOCKING_CALLBACKS,
    /** Host functions that are still pending are called when the process ends, after everything of Java is gone. */
    CALLBACKS_AT_EXIT,
    /** A call within a host function is not refused: it never returns. */
    WAITING_IN_CALLBACKS,
    /** The size of an allocation that the driver reports is rounded up. */
    ROUNDED_RANGES,
    /** An error of the device outlives the context. */
    STICKY_ERRORS,
    /** Access between devices that was enabled for their contexts does not cover stream-ordered memory. */
    POOLS_WITHOUT_PEERS,
    /** Managed memory lies on the device: the host can't read it at its address. Set before any device is opened. */
    MANAGED_MIGRATES
}
