package dev.arrowdevice.cuda;

import dev.arrowdevice.spi.DeviceProvider;
import dev.arrowdevice.spi.DeviceRuntime;
import java.util.List;

/**
 * Finds NVIDIA's GPUs for {@link dev.arrowdevice.spi.Devices}: the memory of each GPU, the host memory pinned for it, and
 * its managed memory if it has any. Finding a GPU takes none of its memory: the first use creates its context.
 */
public final class CudaProvider implements DeviceProvider {
    /** For {@link java.util.ServiceLoader}. */
    public CudaProvider() {}

    @Override
    public String name() {
        return "CUDA";
    }

    @Override
    public List<? extends DeviceRuntime> runtimes() {
        return CudaDevices.ofProcess().found();
    }
}
