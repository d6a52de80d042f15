package dev.arrowdevice.spi;

import java.util.List;

/**
 * Finds the devices of one kind; a {@linkplain java.util.ServiceLoader service} that the modules for GPUs provide and
 * {@link Devices#discover} asks.
 */
public interface DeviceProvider {
    /** What it provides, such as {@code "CUDA"}. */
    String name();

    /**
     * The runtimes of all devices there are, the same ones at each call. They live as long as the process.
     *
     * @throws DeviceUnavailableException if there is no driver or no device; the message says why
     */
    List<? extends DeviceRuntime> runtimes();
}
