package dev.arrowdevice.memory;

/** The host was asked to read memory of a device that it cannot read. The message says how to copy it. */
public final class UnreadableDeviceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient Device device;

    /** Creates the exception for memory of a device. */
    public UnreadableDeviceException(Device device) {
        super("the host cannot read memory of " + device
                + "; copy it first: copyTo(Device.CPU) gives an array that the host can read");
        this.device = device;
    }

    /** The device whose memory was to be read. */
    public Device device() {
        return device;
    }
}
