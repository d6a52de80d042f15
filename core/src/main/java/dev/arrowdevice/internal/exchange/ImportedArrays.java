package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Device;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceType;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.owners.Owners;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceEvent;
import dev.arrowdevice.spi.OwnedArrays;
import org.jspecify.annotations.Nullable;

/** Makes arrays and batches from imported foreign arrays. */
public final class ImportedArrays {
    private ImportedArrays() {}

    /** Wraps the array of an owner, whose reference moves to the result. On failure it remains the caller's. */
    public static DeviceArray wrap(
            ImportedArray array, ArrowType type, Device device, long syncEvent, Validation validation) {
        DeviceEvent ready = ready(array, device, syncEvent);
        ArrayData data = ArrayImporter.read(array, type, device, ready, validation);
        return Owners.array(data, array, ready);
    }

    /** Wraps the array of an owner as a batch; see {@link #wrap}. */
    public static RecordBatch wrapBatch(
            ImportedArray array, Schema schema, Device device, long syncEvent, Validation validation) {
        DeviceEvent ready = ready(array, device, syncEvent);
        ArrayData data = ArrayImporter.read(array, ArrowType.struct(schema.fields()), device, ready, validation);
        return OwnedArrays.batchOf(schema, data, array, ready);
    }

    private static @Nullable DeviceEvent ready(ImportedArray array, Device device, long syncEvent) {
        return syncEvent == 0 || device.isCpu() ? null : new ForeignEvent(device, syncEvent, array);
    }

    /** Wraps the device array of an owner; see {@link #wrap}. */
    public static DeviceArray wrapDeviceArray(ImportedArray array, ArrowType type, Validation validation) {
        long struct = array.struct();
        return wrap(array, type, device(struct), CDeviceArray.syncEvent(struct), validation);
    }

    /** The device of a device array. */
    public static Device device(long struct) {
        int type = CDeviceArray.deviceType(struct);
        return type == DeviceType.CPU ? Device.CPU : new Device(type, CDeviceArray.deviceId(struct));
    }
}
