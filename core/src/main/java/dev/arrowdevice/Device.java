package dev.arrowdevice;

import dev.arrowdevice.spi.DeviceReference;

/**
 * The place where buffers live: a device type and the id of one device of that type.
 *
 * @param type one of the codes of {@link DeviceType}, or a code not known here, which is carried unchanged
 * @param id identifies one device of the type; "for device types that do not have an intrinsic notion of a device
 *     identifier (e.g., ARROW_DEVICE_CPU), it is recommended to use a device_id of -1 as a convention"
 */
public record Device(int type, long id) implements DeviceReference {
    /** The CPU, with the recommended id -1. */
    public static final Device CPU = new Device(DeviceType.CPU, -1);

    /** Whether this is CPU memory; its id is of no meaning then (producers send -1 and 0). */
    public boolean isCpu() {
        return type == DeviceType.CPU;
    }

    /** This device. */
    @Override
    public Device getDevice() {
        return this;
    }

    @Override
    public String toString() {
        return isCpu() ? "CPU" : DeviceType.name(type) + ":" + id;
    }
}
