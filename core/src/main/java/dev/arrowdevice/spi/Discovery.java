package dev.arrowdevice.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one {@link DeviceProvider}.
 *
 * @param provider the provider's name, such as {@code "CUDA"}
 * @param runtimes its devices; empty if there are none
 * @param reason why there are none, otherwise null
 */
public record Discovery(
        String provider,
        List<DeviceRuntime> runtimes,
        @Nullable RuntimeException reason) {}
