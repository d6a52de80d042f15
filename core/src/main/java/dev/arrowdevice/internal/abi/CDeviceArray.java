package dev.arrowdevice.internal.abi;

/** The members of a {@code struct ArrowDeviceArray} at an address. Its member {@code array} has the same address. */
public final class CDeviceArray {
    /** The size of the struct in bytes. */
    public static final long SIZE = CStructLayouts.DEVICE_ARRAY.byteSize();

    private static final long DEVICE_ID = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY, "device_id");
    private static final long DEVICE_TYPE = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY, "device_type");
    private static final long SYNC_EVENT = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY, "sync_event");
    private static final long RESERVED = CStructLayouts.offset(CStructLayouts.DEVICE_ARRAY, "reserved");

    private CDeviceArray() {}

    /** {@code device_id}. */
    public static long deviceId(long struct) {
        return RawMemory.getLong(struct + DEVICE_ID);
    }

    /** Sets {@code device_id}. */
    public static void setDeviceId(long struct, long value) {
        RawMemory.putLong(struct + DEVICE_ID, value);
    }

    /** {@code device_type}. */
    public static int deviceType(long struct) {
        return RawMemory.getInt(struct + DEVICE_TYPE);
    }

    /** Sets {@code device_type}. */
    public static void setDeviceType(long struct, int value) {
        RawMemory.putInt(struct + DEVICE_TYPE, value);
    }

    /** {@code sync_event}. */
    public static long syncEvent(long struct) {
        return RawMemory.getLong(struct + SYNC_EVENT);
    }

    /** Sets {@code sync_event}. */
    public static void setSyncEvent(long struct, long value) {
        RawMemory.putLong(struct + SYNC_EVENT, value);
    }

    /** Sets the reserved bytes: "these bytes MUST be zero'd out after initialization by the producer". */
    public static void zeroReserved(long struct) {
        RawMemory.zero(struct + RESERVED, 24);
    }
}
