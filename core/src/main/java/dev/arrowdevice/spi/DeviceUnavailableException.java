package dev.arrowdevice.spi;

/** A kind of device can't be used in this process. The message says why, and how to make it available. */
public final class DeviceUnavailableException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reason what is missing, such as a driver's library, and how to provide it
     */
    public DeviceUnavailableException(String reason) {
        super(reason);
    }

    /** Creates the exception with its cause. */
    public DeviceUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
