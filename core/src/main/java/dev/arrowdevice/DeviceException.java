package dev.arrowdevice;

/**
 * A call of a device's driver failed, or work that was queued earlier failed. {@link #isWorkFailure()} is true for the
 * second. Any call may report work that has failed.
 */
public class DeviceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient Device device;
    private final String operation;
    private final int code;
    private final boolean workFailure;

    /**
     * Creates the exception of a call that was refused. Work that was queued before may still run.
     *
     * @param operation the driver's function, such as {@code cuMemcpyAsync}
     * @param code its result
     * @param error the driver's name and text for the code, such as {@code CUDA_ERROR_INVALID_VALUE: invalid argument}
     */
    public DeviceException(Device device, String operation, int code, String error) {
        this(device, operation, code, error, false);
    }

    /**
     * Creates the exception of a call that was refused, or that reports work that has failed.
     *
     * @param operation the driver's function, such as {@code cuEventSynchronize}
     * @param code its result
     * @param error the driver's name and text for the code, such as {@code CUDA_ERROR_LAUNCH_FAILED: unspecified launch
     *     failure}
     * @param workFailure what {@link #isWorkFailure()} returns
     */
    public DeviceException(Device device, String operation, int code, String error, boolean workFailure) {
        super(operation + " failed on " + device + " with " + code + " (" + error + ")");
        this.device = device;
        this.operation = operation;
        this.code = code;
        this.workFailure = workFailure;
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

    /**
     * Whether queued work has failed, or the device was lost. If a call that waits for work throws this, the work is
     * over: the device no longer accesses its memory. If false, only the call was refused, and the work may still run.
     */
    public boolean isWorkFailure() {
        return workFailure;
    }
}
