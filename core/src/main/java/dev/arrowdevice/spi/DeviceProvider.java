package dev.arrowdevice.spi;

import java.util.List;

/**
 * Finds the devices of one kind. A {@linkplain java.util.ServiceLoader service} of the modules for GPUs, which
 * {@link Devices#discover} calls.
 */
public interface DeviceProvider {
    /** The kind of devices, such as {@code "CUDA"}. */
    String name();

    /**
     * The runtimes of all devices. Returns the same runtimes at each call. They live as long as the process.
     *
     * @throws DeviceUnavailableException if there is no driver or no device; the message says why
     */
    List<? extends DeviceRuntime> runtimes();
}
