package dev.arrowdevice.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one {@link DeviceProvider} has found.
 *
 * @param provider its name, such as {@code "CUDA"}
 * @param runtimes its devices; empty if there are none
 * @param reason why there are none, else null
 */
public record Discovery(
        String provider,
        List<DeviceRuntime> runtimes,
        @Nullable RuntimeException reason) {}
