package dev.arrowdevice.spi;

import dev.arrowdevice.Device;

/** Refers to a device: the {@link Device} itself, or its {@link DeviceRuntime}. */
public interface DeviceReference {
    /** The device. */
    Device getDevice();
}
