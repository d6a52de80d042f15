package dev.arrowdevice.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The devices that this process can use. The CPU is always there; those of the modules on the class path are found by
 * themselves the first time that one is asked for, others are registered. Thread-safe.
 */
public final class Devices {
    private static final Map<Device, DeviceRuntime> RUNTIMES = new ConcurrentHashMap<>();
    private static final AtomicBoolean DISCOVERED = new AtomicBoolean();

    private Devices() {}

    /**
     * What one provider has found.
     *
     * @param provider its name, such as {@code "CUDA"}
     * @param runtimes its devices; empty if there are none
     * @param reason why there are none, else null
     */
    public record Discovery(
            String provider,
            List<DeviceRuntime> runtimes,
            @Nullable RuntimeException reason) {}

    /**
     * Asks all {@linkplain DeviceProvider providers} for their devices, registers those and says what was found and why
     * not. May be called again.
     */
    public static List<Discovery> discover() {
        DISCOVERED.set(true);
        List<Discovery> found = new ArrayList<>();
        // Not the thread's loader: a thread that a driver or a consumer attached has none.
        for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader())) {
            try {
                List<DeviceRuntime> runtimes = List.copyOf(provider.runtimes());
                runtimes.forEach(runtime -> RUNTIMES.putIfAbsent(runtime.device(), runtime));
                found.add(new Discovery(provider.name(), runtimes, null));
            } catch (RuntimeException e) {
                found.add(new Discovery(provider.name(), List.of(), e));
            }
        }
        return found;
    }

    /**
     * Makes a runtime known, so that arrays of its device can be read, copied and exchanged.
     *
     * @throws IllegalStateException if another runtime is registered for the device
     */
    public static void register(DeviceRuntime runtime) {
        Device device = runtime.device();
        if (device.isCpu() || RUNTIMES.putIfAbsent(device, runtime) != null) {
            throw new IllegalStateException("a runtime for " + device + " is already registered");
        }
    }

    /** Forgets a runtime; does nothing if it is not registered. */
    public static void unregister(DeviceRuntime runtime) {
        RUNTIMES.remove(runtime.device(), runtime);
    }

    /**
     * The runtime of a device.
     *
     * @throws IllegalStateException if there is none; the message says what there is and why there is no more
     */
    public static DeviceRuntime runtime(Device device) {
        DeviceRuntime runtime = find(device);
        if (runtime == null) {
            StringBuilder text =
                    new StringBuilder("no runtime is registered for " + device + "; registered: " + list());
            for (Discovery found : discover()) {
                RuntimeException reason = found.reason();
                if (reason != null) {
                    text.append("; no ").append(found.provider()).append(": ").append(reason.getMessage());
                }
            }
            throw new IllegalStateException(text.toString());
        }
        return runtime;
    }

    /** The runtime of a device, or null if there is none. */
    public static @Nullable DeviceRuntime find(Device device) {
        if (device.isCpu()) {
            return CpuRuntime.INSTANCE;
        }
        DeviceRuntime runtime = RUNTIMES.get(device);
        if (runtime == null && !DISCOVERED.get()) {
            try {
                discover();
            } catch (ServiceConfigurationError e) {
                throw new IllegalStateException("a device provider is broken: " + e.getMessage(), e);
            }
            runtime = RUNTIMES.get(device);
        }
        return runtime;
    }

    /** Whether the host can read memory of a device; false for a device without a runtime. */
    public static boolean isHostReadable(Device device) {
        DeviceRuntime runtime = find(device);
        return runtime != null && runtime.isHostReadable();
    }

    /** The devices that are registered, the CPU first. */
    public static List<Device> list() {
        List<Device> devices = new ArrayList<>(List.of(Device.CPU));
        devices.addAll(RUNTIMES.keySet());
        return List.copyOf(devices);
    }
}
