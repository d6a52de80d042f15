package dev.arrowdevice.oneapi;

import dev.arrowdevice.spi.DeviceProvider;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.List;

/** Finds the devices of oneAPI for {@link dev.arrowdevice.spi.Devices}, each with its own memory. */
public final class SyclProvider implements DeviceProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SyclProvider() {}

    @Override
    public String name() {
        return "oneAPI";
    }

    @Override
    public List<? extends DeviceRuntime> runtimes() {
        return SyclDevices.ofProcess().found();
    }
}
