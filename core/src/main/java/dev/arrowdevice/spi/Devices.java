package dev.arrowdevice.spi;

import dev.arrowdevice.Device;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The devices that this process can use. The CPU is always there. The devices of modules on the class path are
 * discovered the first time that a device is asked for. Others can be registered. Thread-safe.
 */
public final class Devices {
    private static final Map<Device, DeviceRuntime> RUNTIMES = new ConcurrentHashMap<>();
    /** A search for providers that fails may fail in the same way every time. */
    private static final int PROVIDERS_AT_MOST = 100;

    private static final Object DISCOVERY = new Object();
    /** Set when the first discovery has ended. */
    private static volatile boolean discovered;
    /** Guarded by DISCOVERY: a provider may look for devices itself. */
    private static boolean discovering;

    private Devices() {}

    /**
     * Asks all {@linkplain DeviceProvider providers} for their devices and registers them. Returns what each provider
     * found, or why it found nothing. The failure of one provider does not affect the others. May be called again.
     */
    public static List<Discovery> discover() {
        // Not the context class loader: a thread that a driver or a consumer attached has none.
        return discover(ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader()));
    }

    private static List<Discovery> discover(ServiceLoader<DeviceProvider> loader) {
        synchronized (DISCOVERY) {
            boolean outer = !discovering;
            discovering = true;
            try {
                List<Discovery> found = new ArrayList<>();
                Iterator<DeviceProvider> providers = loader.iterator();
                for (int i = 0; i < PROVIDERS_AT_MOST && ask(providers, found); i++) {}
                return found;
            } finally {
                if (outer) {
                    discovering = false;
                    discovered = true;
                }
            }
        }
    }

    /** Asks the next provider. Returns false if there is none. */
    private static boolean ask(Iterator<DeviceProvider> providers, List<Discovery> found) {
        String name = "provider";
        try {
            if (!providers.hasNext()) {
                return false;
            }
            DeviceProvider provider = providers.next();
            name = provider.getClass().getName();
            name = provider.name();
            List<DeviceRuntime> runtimes = List.copyOf(provider.runtimes());
            runtimes.forEach(runtime -> RUNTIMES.putIfAbsent(runtime.getDevice(), runtime));
            found.add(new Discovery(name, runtimes, null));
        } catch (RuntimeException e) {
            found.add(new Discovery(name, List.of(), e));
        } catch (ServiceConfigurationError | LinkageError e) {
            String reason = "the provider of devices is broken: " + e.getMessage();
            found.add(new Discovery(name, List.of(), new DeviceUnavailableException(reason, e)));
        }
        return true;
    }

    /**
     * Registers a runtime, so that arrays of its device can be read, copied and exchanged.
     *
     * @throws IllegalStateException if another runtime is registered for the device
     */
    public static void register(DeviceRuntime runtime) {
        Device device = runtime.getDevice();
        if (device.isCpu() || RUNTIMES.putIfAbsent(device, runtime) != null) {
            throw new IllegalStateException("a runtime for " + device + " is already registered");
        }
    }

    /** Unregisters a runtime. Does nothing if it is not registered. */
    public static void unregister(DeviceRuntime runtime) {
        RUNTIMES.remove(runtime.getDevice(), runtime);
    }

    /**
     * The runtime of a device: the reference itself if it is a runtime, otherwise the one that is registered. They
     * differ if a device has several kinds of memory with a runtime for each.
     *
     * @throws IllegalStateException if none is registered; the message lists the registered ones, and why others are
     *     missing
     */
    public static DeviceRuntime runtime(DeviceReference reference) {
        if (reference instanceof DeviceRuntime) {
            return (DeviceRuntime) reference;
        }
        Device device = reference.getDevice();
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
        if (runtime == null && !discovered) {
            // Another thread is discovering. Wait for its result.
            synchronized (DISCOVERY) {
                if (!discovered && !discovering) {
                    discover();
                }
            }
            runtime = RUNTIMES.get(device);
        }
        return runtime;
    }

    /** Whether the host can read all memory of a device; false for a device without a runtime. */
    public static boolean isHostReadable(Device device) {
        DeviceRuntime runtime = find(device);
        return runtime != null && runtime.isHostReadable();
    }

    /** Whether the host can read memory of a device at an address; false for a device without a runtime. */
    public static boolean isHostReadable(Device device, long address) {
        DeviceRuntime runtime = find(device);
        return runtime != null && runtime.isHostReadable(address);
    }

    /** The devices that are registered, the CPU first. */
    public static List<Device> list() {
        List<Device> devices = new ArrayList<>(List.of(Device.CPU));
        devices.addAll(RUNTIMES.keySet());
        return List.copyOf(devices);
    }

    /**
     * Frees the pinned memory that is kept for later copies to and from devices, which is not in use and which no counter of
     * {@link dev.arrowdevice.ArrowCounters} counts. Later copies pin memory anew. May wait for the devices' work.
     */
    public static void trim() {
        StagingCache.trimAll();
    }
}
