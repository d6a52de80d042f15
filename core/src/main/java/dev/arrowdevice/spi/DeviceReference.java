package dev.arrowdevice.spi;

import dev.arrowdevice.Device;

/** What names a device: the {@link Device} itself, or its {@link DeviceRuntime}. */
public interface DeviceReference {
    /** The device. */
    Device getDevice();
}
