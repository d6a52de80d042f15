package dev.arrowdevice.internal.async;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.Exported;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.exchange.ArrayExports;
import dev.arrowdevice.internal.memory.Leaks;
import dev.arrowdevice.spi.AsyncWork;
import dev.arrowdevice.spi.Errno;
import dev.arrowdevice.spi.Verb;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A task that a foreign consumer has. It is used once: "it is only valid to call this method exactly once". */
public final class ExportedTask implements Exported.Task {
    private final AsyncWork work;
    private final Consumer<DeviceArray> requireFits;
    private final Consumer<Throwable> failed;
    private final Consumer<ExportedTask> released;
    private final AtomicBoolean used = new AtomicBoolean();
    private final @Nullable Throwable allocation = Leaks.allocationStack();
    private final long id;

    /**
     * Registers a task.
     *
     * @param requireFits throws if an array does not fit the stream
     */
    public ExportedTask(
            AsyncWork work,
            Consumer<DeviceArray> requireFits,
            Consumer<Throwable> failed,
            Consumer<ExportedTask> released) {
        this.work = work;
        this.requireFits = requireFits;
        this.failed = failed;
        this.released = released;
        this.id = OutstandingExports.TASKS.add(this);
    }

    /** The {@code private_data} of the task. */
    public long id() {
        return id;
    }

    @Override
    public @Nullable Throwable allocation() {
        return allocation;
    }

    @Override
    public int extractData(long out) {
        if (!used.compareAndSet(false, true)) {
            return Errno.EINVAL;
        }
        OutstandingExports.TASKS.remove(id);
        try {
            if (out == 0) {
                work.discard();
                return 0;
            }
            RawMemory.zero(out, CDeviceArray.SIZE);
            try (DeviceArray array = work.extract()) {
                requireFits.accept(array);
                ArrayExports.move(array, Verb.EXPORT_DEVICE_ARRAY, array.getType(), out, true, 0, null);
            }
            return 0;
        } catch (Throwable e) {
            failed.accept(e);
            return Errno.of(e);
        } finally {
            released.accept(this);
        }
    }

    /** Discards the work because the consumer has refused or lost the task. False if the task was used before. */
    public boolean discard() {
        return extractData(0) == 0;
    }
}
