package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.UnreadableDeviceException;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/** An array that an operation reads. It keeps the memory alive until it is closed, also if the array is closed. */
final class Input implements AutoCloseable {
    private final ReferenceCounted owner;

    /** The values on the CPU, if they are in memory of a device that the host can read. */
    private final @Nullable DeviceArray copy;

    final ArrayData data;

    /**
     * Waits until the values are there.
     *
     * @param operation the call of the user, for messages
     * @throws UnreadableDeviceException if the host can't read them
     */
    Input(ArrayView view, String operation) {
        ArrayData given = view.getData();
        owner = Owners.state(view).retain(operation);
        try {
            if (!given.isHostReadable()) {
                throw new UnreadableDeviceException(operation, new UnreadableDeviceException(given.getDevice()));
            }
            DeviceEvent ready = view.getReadyEvent();
            if (ready != null) {
                ready.await();
            }
            // A result can't share memory of a device and have memory of the CPU.
            copy = given.getDevice().isCpu() ? null : view.copyTo(Device.CPU);
            data = copy == null ? given : copy.getData();
        } catch (Throwable e) {
            owner.release();
            throw e;
        }
    }

    @Override
    public void close() {
        if (copy != null) {
            copy.close();
        }
        owner.release();
    }
}
