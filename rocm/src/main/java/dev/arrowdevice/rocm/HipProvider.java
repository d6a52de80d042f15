package dev.arrowdevice.rocm;

import dev.arrowdevice.spi.DeviceProvider;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.List;

/** Finds AMD's GPUs for {@link dev.arrowdevice.spi.Devices}: the memory of each GPU and the host memory pinned for it. */
public final class HipProvider implements DeviceProvider {
    /** For {@link java.util.ServiceLoader}. */
    public HipProvider() {}

    @Override
    public String name() {
        return "ROCm";
    }

    @Override
    public List<? extends DeviceRuntime> runtimes() {
        return HipDevices.ofProcess().found();
    }
}
