package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Field;
import dev.arrowdevice.internal.abi.ArrayUpcalls;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.ForeignCallbacks;
import dev.arrowdevice.internal.abi.OutstandingExports;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Devices;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import org.jspecify.annotations.Nullable;

/** Exports arrays to structs at addresses; see {@link dev.arrowdevice.ArrowExport}. */
public final class ArrayExports {
    private ArrayExports() {}

    /**
     * Moves an array to a struct. On failure the caller remains its owner, and both structs are marked released.
     *
     * @param type the type to compare the field's with
     * @param deviceArray whether the target is a device array or an array
     * @param schemaAddress the address of the struct for the field, or 0
     */
    public static void move(
            DeviceArray array,
            Verb verb,
            ArrowType type,
            long target,
            boolean deviceArray,
            long schemaAddress,
            @Nullable Field field) {
        Device device = array.getDevice();
        prepare(verb, type, device, target, deviceArray, schemaAddress, field);
        try {
            DeviceEvent pending = pending(array, device);
            // Inline, and not in a method that gets the memory: the JIT compiler inlines calls only down to some depth,
            // and each access to the struct below that would be a call.
            try (Move move = Move.begin(array, verb)) {
                // The array last, because nothing may fail after it was exported.
                if (deviceArray) {
                    ArrayStructWriter.writeDevice(device, pending, target);
                }
                ArrayStructWriter.export(move.getData(), move.getOwner(), target, pending == null);
                move.complete();
            }
        } catch (Throwable e) {
            if (schemaAddress != 0) {
                ForeignCallbacks.releaseSchema(schemaAddress);
            }
            throw e;
        }
    }

    /**
     * Exports a share of an array for the time of a block.
     *
     * @param share a reference to the memory, which moves to the struct; on failure it remains the caller's
     */
    public static void exportShare(
            DeviceArray array,
            ReferenceCounted share,
            Verb verb,
            Field field,
            long target,
            boolean deviceArray,
            long schemaAddress) {
        Device device = array.getDevice();
        ArrayData data = array.getData();
        prepare(verb, field.type(), device, target, deviceArray, schemaAddress, field);
        DeviceEvent pending = pending(array, device);
        if (deviceArray) {
            ArrayStructWriter.writeDevice(device, pending, target);
        }
        ArrayStructWriter.export(data, share, target, pending == null);
    }

    /** Fails, before anything was done, if the memory is on a device that the plain interface does not support. */
    public static void requireCpu(Verb verb, int deviceType) {
        if (deviceType != DeviceType.CPU) {
            throw new IllegalArgumentException(
                    verb + ": the memory is on " + DeviceType.name(deviceType)
                            + ", but the plain C interface supports only CPU memory; use the device variant, or copyTo(Device.CPU)");
        }
    }

    /**
     * Whether a struct, in memory of ours, contains an export of ours that is outstanding. Memory of others may not be
     * asked: what a struct begins with there is undefined, as in C, and may be the bytes of one that was moved away.
     */
    public static boolean isOutstanding(long struct) {
        return CArray.release(struct) == ArrayUpcalls.RELEASE_ARRAY
                && OutstandingExports.ARRAYS.get(CArray.privateData(struct)) != null;
    }

    /** Marks the structs released, without a look at what they contain, and writes the schema. */
    private static void prepare(
            Verb verb,
            ArrowType type,
            Device device,
            long target,
            boolean deviceArray,
            long schemaAddress,
            @Nullable Field field) {
        CArray.setRelease(target, 0);
        if (schemaAddress != 0) {
            CSchema.setRelease(schemaAddress, 0);
        }
        if (!deviceArray) {
            requireCpu(verb, device.type());
        }
        if (schemaAddress != 0 && field != null) {
            if (!field.type().equals(type)) {
                throw new IllegalArgumentException(
                        verb + ": the field is of type " + field.type() + ", the array of type " + type);
            }
            SchemaExporter.export(field, schemaAddress);
        }
    }

    /**
     * The event to pass to a consumer on a device, or null if the values are there. If the consumer can't get the
     * event, this awaits it: for the CPU there is no event ("N/A, should always be null"), and an ArrowArray has no
     * member for one.
     */
    private static @Nullable DeviceEvent pending(ArrayView array, Device device) {
        DeviceEvent ready = array.getReadyEvent();
        if (ready == null) {
            return null;
        }
        try (DeviceArray kept = array.share()) { // A foreign event must not be used after its array was closed.
            if (!understands(device, ready)) {
                kept.await();
                return null;
            }
            return Devices.find(ready.getDevice()) != null && ready.isComplete() ? null : ready;
        }
    }

    /**
     * Whether consumers on a device expect an event of this kind. The memories of one driver share the driver's events.
     */
    private static boolean understands(Device device, DeviceEvent event) {
        if (device.isCpu() || event.getDevice().type() == device.type()) {
            return !device.isCpu();
        }
        DeviceRuntime runtime = Devices.find(device);
        return runtime != null
                && runtime.getDefaultQueue().getDevice().type()
                        == event.getDevice().type();
    }
}
