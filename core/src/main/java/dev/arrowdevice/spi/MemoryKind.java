package dev.arrowdevice.spi;

/** The kinds of memory that a device's driver allocates. */
public enum MemoryKind {
    /** Memory of the device. */
    DEVICE,
    /** Pinned memory of the host. */
    HOST,
    /** Memory that the driver moves between host and device by itself: managed, unified, shared. */
    MANAGED
}
