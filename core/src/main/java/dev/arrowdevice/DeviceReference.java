package dev.arrowdevice;

import dev.arrowdevice.spi.DeviceRuntime;

/** What names a device: the {@link Device} itself, or its {@link DeviceRuntime}. */
public interface DeviceReference {
    /** The device. */
    Device getDevice();
}
