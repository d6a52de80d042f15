package dev.arrowdevice.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The devices that this process can use. The CPU is always there; other runtimes are registered. Thread-safe. */
public final class Devices {
    private static final Map<Device, DeviceRuntime> RUNTIMES = new ConcurrentHashMap<>();

    private Devices() {}

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
     * @throws IllegalStateException if none is registered
     */
    public static DeviceRuntime runtime(Device device) {
        DeviceRuntime runtime = find(device);
        if (runtime == null) {
            throw new IllegalStateException("no runtime is registered for " + device + "; registered: " + list());
        }
        return runtime;
    }

    /** The runtime of a device, or null if none is registered. */
    public static @Nullable DeviceRuntime find(Device device) {
        return device.isCpu() ? CpuRuntime.INSTANCE : RUNTIMES.get(device);
    }

    /** Whether the host can read memory of a device; false for a device without a runtime. */
    public static boolean isHostReadable(Device device) {
        DeviceRuntime runtime = find(device);
        return runtime != null && runtime.isHostReadable();
    }

    /** The devices with a runtime, the CPU first. */
    public static List<Device> list() {
        List<Device> devices = new ArrayList<>(List.of(Device.CPU));
        devices.addAll(RUNTIMES.keySet());
        return List.copyOf(devices);
    }
}
