package dev.arrowdevice;

/** A call of a device's driver failed, or work that was queued earlier failed. */
public class DeviceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient Device device;
    private final String operation;
    private final int code;

    /**
     * Creates the exception of a failed call.
     *
     * @param operation the driver's function, such as {@code cuMemcpyAsync}
     * @param code its result
     * @param error the driver's name and text for the code, such as {@code CUDA_ERROR_INVALID_VALUE: invalid argument}
     */
    public DeviceException(Device device, String operation, int code, String error) {
        super(operation + " failed on " + device + " with " + code + " (" + error + ")");
        this.device = device;
        this.operation = operation;
        this.code = code;
    }

    /** The device. */
    public Device getDevice() {
        return device;
    }

    /** The driver's function that failed. */
    public String getOperation() {
        return operation;
    }

    /** The driver's error code. */
    public int getCode() {
        return code;
    }
}
