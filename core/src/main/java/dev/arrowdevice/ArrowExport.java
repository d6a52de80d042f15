package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.abi.CSchema;
import dev.arrowdevice.internal.abi.Callbacks;
import dev.arrowdevice.internal.abi.Exports;
import dev.arrowdevice.internal.abi.StreamStubs;
import dev.arrowdevice.internal.abi.Stubs;
import dev.arrowdevice.internal.exchange.ArrayExporter;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.exchange.SchemaExporter;
import dev.arrowdevice.internal.streams.ExportedStream;
import dev.arrowdevice.spi.DeviceRuntime;
import dev.arrowdevice.spi.Errno;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.Verb;
import org.jspecify.annotations.Nullable;

/**
 * Hands schemas, arrays and streams to foreign consumers, by the address of a C struct that the consumer (or a
 * {@link CStruct}) provides. What is in the struct is overwritten, but for an array that this SDK exported to it and that
 * nobody has taken: {@link IllegalStateException}, nothing is lost.
 *
 * <p>On success ownership moves to the consumer, who must call the struct's {@code release}, from any thread; the Java
 * object is moved. On failure ownership stays with the caller and the struct is marked released. Nothing is copied but
 * the structs.
 *
 * <p>All methods throw {@link IllegalArgumentException} for a NULL address, {@link IllegalStateException} if what is
 * exported was closed or moved or is borrowed, and {@link UnsupportedOperationException} on Java before 22.
 */
public final class ArrowExport {
    private ArrowExport() {}

    /** Exports the schema of record batches, as a struct field without a name that carries the schema's metadata. */
    public static void exportSchema(Schema schema, long schemaAddress) {
        Requirements.requireAddress("exportSchema", "schemaAddress", schemaAddress);
        SchemaExporter.export(schema.toStruct(), schemaAddress);
    }

    /** Exports a field: name, type, nullability and metadata. */
    public static void exportField(Field field, long schemaAddress) {
        Requirements.requireAddress("exportField", "schemaAddress", schemaAddress);
        SchemaExporter.export(field, schemaAddress);
    }

    /**
     * Moves an array in CPU memory out to an {@code ArrowArray}.
     *
     * @throws IllegalArgumentException also if the array is on another device; export it as a device array
     */
    public static void exportArray(DeviceArray array, long arrayAddress) {
        prepare(Verb.EXPORT_ARRAY, "arrayAddress", arrayAddress);
        export(array, Verb.EXPORT_ARRAY, arrayAddress, false, 0, null);
    }

    /** Moves an array in CPU memory out to an {@code ArrowArray}, and its type to an {@code ArrowSchema}. */
    public static void exportArray(DeviceArray array, long arrayAddress, long schemaAddress) {
        exportArray(array, Field.nullable("", array.getType()), arrayAddress, schemaAddress);
    }

    /**
     * Moves an array in CPU memory out to an {@code ArrowArray}, and a field that describes it to an
     * {@code ArrowSchema}: both or none.
     *
     * @throws IllegalArgumentException also if the field's type is not the array's
     */
    public static void exportArray(DeviceArray array, Field field, long arrayAddress, long schemaAddress) {
        prepare(Verb.EXPORT_ARRAY, "arrayAddress", arrayAddress);
        Requirements.requireAddress("exportArray", "schemaAddress", schemaAddress);
        export(array, Verb.EXPORT_ARRAY, arrayAddress, false, schemaAddress, field);
    }

    /** Moves a batch in CPU memory out to an {@code ArrowArray}: the equivalent struct array, at offset 0. */
    public static void exportBatch(RecordBatch batch, long arrayAddress) {
        prepare(Verb.EXPORT_BATCH, "arrayAddress", arrayAddress);
        export(batch, Verb.EXPORT_BATCH, arrayAddress, false, 0);
    }

    /** Moves a batch in CPU memory out to an {@code ArrowArray}, and its schema to an {@code ArrowSchema}. */
    public static void exportBatch(RecordBatch batch, long arrayAddress, long schemaAddress) {
        prepare(Verb.EXPORT_BATCH, "arrayAddress", arrayAddress);
        Requirements.requireAddress("exportBatch", "schemaAddress", schemaAddress);
        export(batch, Verb.EXPORT_BATCH, arrayAddress, false, schemaAddress);
    }

    /**
     * Moves an array out to an {@code ArrowDeviceArray}, with the event that says when its data is there. The event
     * belongs to the array and is destroyed when the consumer releases it. Where the data is there already no event is
     * passed; for a consumer that looks at the data before it waits (Arrow C++ reads the last offset of strings), call
     * {@link DeviceArray#await} first. Null counts that are not known are computed if the data is there, else passed on
     * as unknown.
     */
    public static void exportDeviceArray(DeviceArray array, long deviceArrayAddress) {
        prepare(Verb.EXPORT_DEVICE_ARRAY, "deviceArrayAddress", deviceArrayAddress);
        export(array, Verb.EXPORT_DEVICE_ARRAY, deviceArrayAddress, true, 0, null);
    }

    /** Moves an array out to an {@code ArrowDeviceArray}, and its type to an {@code ArrowSchema}. */
    public static void exportDeviceArray(DeviceArray array, long deviceArrayAddress, long schemaAddress) {
        prepare(Verb.EXPORT_DEVICE_ARRAY, "deviceArrayAddress", deviceArrayAddress);
        Requirements.requireAddress("exportDeviceArray", "schemaAddress", schemaAddress);
        export(
                array,
                Verb.EXPORT_DEVICE_ARRAY,
                deviceArrayAddress,
                true,
                schemaAddress,
                Field.nullable("", array.getType()));
    }

    /** Moves a batch out to an {@code ArrowDeviceArray}; see {@link #exportDeviceArray(DeviceArray, long)}. */
    public static void exportDeviceBatch(RecordBatch batch, long deviceArrayAddress) {
        prepare(Verb.EXPORT_DEVICE_BATCH, "deviceArrayAddress", deviceArrayAddress);
        export(batch, Verb.EXPORT_DEVICE_BATCH, deviceArrayAddress, true, 0);
    }

    /** Moves a batch out to an {@code ArrowDeviceArray}, and its schema to an {@code ArrowSchema}. */
    public static void exportDeviceBatch(RecordBatch batch, long deviceArrayAddress, long schemaAddress) {
        prepare(Verb.EXPORT_DEVICE_BATCH, "deviceArrayAddress", deviceArrayAddress);
        Requirements.requireAddress("exportDeviceBatch", "schemaAddress", schemaAddress);
        export(batch, Verb.EXPORT_DEVICE_BATCH, deviceArrayAddress, true, schemaAddress);
    }

    /**
     * Moves a stream of arrays in CPU memory out to an {@code ArrowArrayStream}. What it throws reaches the consumer as
     * an error code (see {@link Errno#of}) and a text; it is closed when the consumer releases the stream.
     *
     * @throws IllegalArgumentException also if the stream is on another device; export it as a device stream
     */
    public static void exportStream(DeviceArrayStream stream, long streamAddress) {
        Requirements.requireAddress("exportStream", "streamAddress", streamAddress);
        CArrayStream.setRelease(streamAddress, 0);
        requireCpu(Verb.EXPORT_STREAM, stream.getDeviceType());
        // The callbacks first: what could fail here fails while the stream is the caller's.
        CArrayStream.setGetSchema(streamAddress, StreamStubs.GET_SCHEMA);
        CArrayStream.setGetNext(streamAddress, StreamStubs.GET_NEXT);
        CArrayStream.setGetLastError(streamAddress, StreamStubs.GET_LAST_ERROR);
        ExportedStream exported = new ExportedStream(stream.moveOut(Verb.EXPORT_STREAM), false);
        CArrayStream.setPrivateData(streamAddress, exported.id());
        CArrayStream.setRelease(streamAddress, StreamStubs.RELEASE);
    }

    /** Moves a stream out to an {@code ArrowDeviceArrayStream}; see {@link #exportStream}. */
    public static void exportDeviceStream(DeviceArrayStream stream, long streamAddress) {
        Requirements.requireAddress("exportDeviceStream", "streamAddress", streamAddress);
        CDeviceArrayStream.setRelease(streamAddress, 0);
        CDeviceArrayStream.setDeviceType(streamAddress, stream.getDeviceType());
        CDeviceArrayStream.setGetSchema(streamAddress, StreamStubs.DEVICE_GET_SCHEMA);
        CDeviceArrayStream.setGetNext(streamAddress, StreamStubs.DEVICE_GET_NEXT);
        CDeviceArrayStream.setGetLastError(streamAddress, StreamStubs.DEVICE_GET_LAST_ERROR);
        ExportedStream exported = new ExportedStream(stream.moveOut(Verb.EXPORT_DEVICE_STREAM), true);
        CDeviceArrayStream.setPrivateData(streamAddress, exported.id());
        CDeviceArrayStream.setRelease(streamAddress, StreamStubs.DEVICE_RELEASE);
    }

    /**
     * Checks the address of an array's struct and marks it released, unless an export of ours is still in it that nobody
     * took: to overwrite that would lose it.
     */
    private static void prepare(Verb verb, String parameter, long address) {
        Requirements.requireAddress(verb.toString(), parameter, address);
        if (CArray.release(address) == Stubs.RELEASE_ARRAY && Exports.ARRAYS.get(CArray.privateData(address)) != null) {
            throw new IllegalStateException(verb + ": the struct at " + parameter
                    + " still holds an exported array that no consumer took; release it first");
        }
        CArray.setRelease(address, 0);
    }

    private static void export(RecordBatch batch, Verb verb, long target, boolean deviceArray, long schemaAddress) {
        Field field = batch.getSchema().toStruct();
        export(batch.struct(), verb, field.type(), target, deviceArray, schemaAddress, field);
    }

    private static void export(
            DeviceArray array, Verb verb, long target, boolean deviceArray, long schemaAddress, @Nullable Field field) {
        export(array, verb, array.getType(), target, deviceArray, schemaAddress, field);
    }

    private static void export(
            DeviceArray array,
            Verb verb,
            ArrowType type,
            long target,
            boolean deviceArray,
            long schemaAddress,
            @Nullable Field field) {
        if (schemaAddress != 0) {
            CSchema.setRelease(schemaAddress, 0);
        }
        Device device = array.getDevice();
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
                move.done();
            }
        } catch (Throwable e) {
            if (schemaAddress != 0) {
                Callbacks.releaseSchema(schemaAddress);
            }
            throw e;
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

    private static void requireCpu(Verb verb, int deviceType) {
        if (deviceType != DeviceType.CPU) {
            throw new IllegalArgumentException(verb + ": the memory is on " + DeviceType.name(deviceType)
                    + ", the plain C interface knows CPU memory only; use the device variant, or copyTo(Device.CPU)");
        }
    }
}
