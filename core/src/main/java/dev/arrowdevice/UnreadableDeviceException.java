package dev.arrowdevice;

import org.jspecify.annotations.Nullable;

/** The host was asked to read memory of a device that it cannot read. The message says how to copy the memory. */
public final class UnreadableDeviceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient Device device;

    /** Creates the exception for memory of a device. */
    public UnreadableDeviceException(Device device) {
        this("", device, null);
    }

    /** Creates the exception that names the call of the user in front of another one. */
    public UnreadableDeviceException(String operation, UnreadableDeviceException cause) {
        this(operation + ": ", cause.device, cause);
    }

    private UnreadableDeviceException(String prefix, Device device, @Nullable Throwable cause) {
        super(
                prefix + "the host cannot read memory of " + device
                        + "; copy it first: copyTo(Device.CPU) gives an array that the host can read",
                cause);
        this.device = device;
    }

    /** The device whose memory can't be read. */
    public Device getDevice() {
        return device;
    }
}
