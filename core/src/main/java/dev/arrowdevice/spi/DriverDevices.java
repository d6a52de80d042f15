package dev.arrowdevice.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The devices of one native driver in this process. Each device in use has one context, which all runtimes of the
 * device share, so a queue or an event of one works with any other. Thread-safe.
 *
 * @param <R> the runtime of such a device
 */
public abstract class DriverDevices<R extends DriverRuntime> {
    private final String name;
    private final List<MemoryKind> kinds;
    private final Map<Integer, DriverContext> contexts = new HashMap<>();
    private @Nullable List<R> found;

    /**
     * Begins with no device in use.
     *
     * @param name the name of the driver's devices in messages, such as {@code "CUDA"}
     * @param kinds the kinds of memory for which {@link #found} makes a runtime of each device
     */
    protected DriverDevices(String name, MemoryKind... kinds) {
        this.name = name;
        this.kinds = List.of(kinds);
    }

    /**
     * The number of devices. They are numbered from 0.
     *
     * @throws DeviceUnavailableException if there is none; the message says why
     */
    public abstract int count();

    /** Opens the driver of a device that exists. */
    protected abstract DeviceDriver openDriver(int ordinal);

    /**
     * Makes a runtime.
     *
     * @param context the device's context, to which the runtime takes a reference of its own
     * @param kind a kind of memory that the device has
     * @param ofProcess whether the runtime lives as long as the process and is never closed
     */
    protected abstract R newRuntime(DriverContext context, int ordinal, MemoryKind kind, boolean ofProcess);

    /**
     * Opens a device with one kind of memory.
     *
     * @return a runtime, which the caller closes
     * @throws DeviceUnavailableException if there is no such device, or it has no such memory; the message says why
     */
    public final R open(int ordinal, MemoryKind kind) {
        DriverContext context = retain(ordinal);
        try {
            DeviceDriver driver = context.getDriver();
            if (!driver.hasMemory(kind)) {
                throw new DeviceUnavailableException(
                        driver.device() + " (" + driver.description() + ") has no memory of the kind " + kind);
            }
            return newRuntime(context, ordinal, kind, false);
        } finally {
            context.release();
        }
    }

    /**
     * The runtimes of all devices, for a {@link DeviceProvider}. Returns the same runtimes at each call. They are never
     * closed.
     *
     * @throws DeviceUnavailableException if there is none; the message says why
     */
    public final synchronized List<R> found() {
        List<R> known = found;
        if (known == null) {
            known = new ArrayList<>();
            int count = count();
            for (int ordinal = 0; ordinal < count; ordinal++) {
                addRuntimes(ordinal, known);
            }
            known = List.copyOf(known);
            found = known;
        }
        return known;
    }

    private void addRuntimes(int ordinal, List<R> runtimes) {
        DriverContext context = retain(ordinal);
        try {
            for (MemoryKind kind : kinds) {
                if (context.getDriver().hasMemory(kind)) {
                    runtimes.add(newRuntime(context, ordinal, kind, true));
                }
            }
        } finally {
            context.release();
        }
    }

    /** The context of a device, with a reference that the caller releases. */
    private synchronized DriverContext retain(int ordinal) {
        int count = count();
        if (ordinal < 0 || ordinal >= count) {
            throw new DeviceUnavailableException(
                    "there is no " + name + " device " + ordinal + ": " + name + " numbers its " + count + " from 0");
        }
        DriverContext known = contexts.get(ordinal);
        if (known != null && known.tryRetain()) {
            return known;
        }
        DriverContext opened = new DriverContext(openDriver(ordinal));
        contexts.put(ordinal, opened);
        return opened;
    }
}
