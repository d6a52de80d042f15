package dev.arrowdevice;

/** A device has no room for an allocation. Exchanged as {@code ENOMEM}. */
public final class OutOfDeviceMemoryException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; see {@link DeviceException}. */
    public OutOfDeviceMemoryException(Device device, String operation, int code, String error) {
        super(device, operation, code, error);
    }
}
