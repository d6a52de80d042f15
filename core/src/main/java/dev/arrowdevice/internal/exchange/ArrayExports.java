package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrayView;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceEvent;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.Devices;
import dev.arrowdevice.Field;
import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.Callbacks;
import dev.arrowdevice.internal.abi.Exports;
import dev.arrowdevice.internal.abi.Stubs;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import org.jspecify.annotations.Nullable;

/** Hands arrays over to structs at addresses; see {@link dev.arrowdevice.ArrowExport}. */
public final class ArrayExports {
    private ArrayExports() {}

    /**
     * Moves an array out; on failure it stays with the caller, and both structs are marked released.
     *
     * @param type the type to compare the field's with
     * @param deviceArray whether the target is a device array or an array
     * @param schemaAddress where the field goes, or 0
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
            // Not by a function that receives the memory: the compiler inlines calls down to some depth only, and below
            // that each access to the struct would be a call.
            try (Move move = Move.begin(array, verb)) {
                // The array last: once it is exported nothing may fail any more.
                if (deviceArray) {
                    ArrayExporter.writeDevice(device, pending, target);
                }
                ArrayExporter.export(move.getData(), move.getOwner(), target, pending == null);
                move.complete();
            }
        } catch (Throwable e) {
            if (schemaAddress != 0) {
                Callbacks.releaseSchema(schemaAddress);
            }
            throw e;
        }
    }

    /**
     * Exports a share of an array that is on loan.
     *
     * @param share a reference to the memory, which goes over to the struct; on failure it stays the caller's
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
            ArrayExporter.writeDevice(device, pending, target);
        }
        ArrayExporter.export(data, share, target, pending == null);
    }

    /** Fails while nothing has been done yet, if the plain interface can't carry memory of a device. */
    public static void requireCpu(Verb verb, int deviceType) {
        if (deviceType != DeviceType.CPU) {
            throw new IllegalArgumentException(verb + ": the memory is on " + DeviceType.name(deviceType)
                    + ", the plain C interface knows CPU memory only; use the device variant, or copyTo(Device.CPU)");
        }
    }

    /**
     * Marks the structs released and writes the schema. Refuses a struct in which an export of ours still is that nobody
     * took: to overwrite that would lose it.
     */
    private static void prepare(
            Verb verb,
            ArrowType type,
            Device device,
            long target,
            boolean deviceArray,
            long schemaAddress,
            @Nullable Field field) {
        if (CArray.release(target) == Stubs.RELEASE_ARRAY && Exports.ARRAYS.get(CArray.privateData(target)) != null) {
            throw new IllegalStateException(
                    verb + ": the struct still holds an exported array that no consumer took; release it first");
        }
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
     * The event to pass on to a consumer on a device; null if the values are there. One that the consumer can't be told
     * is awaited: for the CPU there is none ("N/A, should always be null"), and an ArrowArray has no place for it.
     */
    private static @Nullable DeviceEvent pending(ArrayView array, Device device) {
        DeviceEvent ready = array.getReadyEvent();
        if (ready == null) {
            return null;
        }
        try (DeviceArray kept = array.share()) { // A foreign event must not be touched once its array was closed.
            if (!understands(device, ready)) {
                kept.await();
                return null;
            }
            return Devices.find(ready.getDevice()) != null && ready.isComplete() ? null : ready;
        }
    }

    /** Whether an event is of the kind that consumers expect on a device: memory of a driver shares the driver's events. */
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
