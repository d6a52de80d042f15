package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CArrayStream;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.abi.CDeviceArrayStream;
import dev.arrowdevice.internal.abi.Callbacks;
import dev.arrowdevice.internal.exchange.ImportedArray;
import dev.arrowdevice.internal.exchange.ImportedArrays;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.exchange.SchemaImporter;
import dev.arrowdevice.internal.memory.Platform;
import dev.arrowdevice.internal.streams.ImportedStream;
import java.util.function.Function;

/**
 * Takes schemas, arrays and streams from foreign producers, by the address of the C struct that holds them.
 *
 * <p>An import consumes its structs exactly once, on success and on failure: the content is moved out and the struct is
 * marked released; if anything is wrong with it, it is released and an exception says what. The memory of the structs
 * stays the caller's. Where an array comes with its schema, both are consumed in either case. Nothing is copied.
 *
 * <p>All methods throw {@link IllegalArgumentException} for a NULL address, {@link IllegalStateException} for a struct
 * that was released or moved before, {@link dev.arrowdevice.InvalidSchemaException} for a malformed schema,
 * {@link InvalidArrayException} for an array that breaks the specification at the level of {@link Validation} asked
 * for, and {@link UnsupportedOperationException} on Java before 22. They may be called from any thread.
 */
public final class ArrowImport {
    private ArrowImport() {}

    /** Imports a field: name, type, nullability and metadata. */
    public static Field importField(long schemaAddress) {
        Requirements.requireAddress("importField", "schemaAddress", schemaAddress);
        return SchemaImporter.importField(schemaAddress);
    }

    /**
     * Imports the schema of record batches.
     *
     * @throws dev.arrowdevice.InvalidSchemaException also if it is no struct
     */
    public static Schema importSchema(long schemaAddress) {
        Requirements.requireAddress("importSchema", "schemaAddress", schemaAddress);
        return Schema.fromStruct(SchemaImporter.importField(schemaAddress));
    }

    /** Imports an {@code ArrowArray} of a type that an {@code ArrowSchema} describes. */
    public static DeviceArray importArray(long arrayAddress, long schemaAddress) {
        return importArray(arrayAddress, schemaAddress, Validation.STRUCTURE);
    }

    /** Imports an {@code ArrowArray} of a type that an {@code ArrowSchema} describes. */
    public static DeviceArray importArray(long arrayAddress, long schemaAddress, Validation validation) {
        Field field = fieldOf("importArray", arrayAddress, schemaAddress);
        return importArray(arrayAddress, field.type(), validation);
    }

    /** Imports an {@code ArrowArray} of a known type. */
    public static DeviceArray importArray(long arrayAddress, ArrowType type) {
        return importArray(arrayAddress, type, Validation.STRUCTURE);
    }

    /** Imports an {@code ArrowArray} of a known type. */
    public static DeviceArray importArray(long arrayAddress, ArrowType type, Validation validation) {
        ImportedArray array = move("importArray", arrayAddress, false);
        try {
            return ImportedArrays.wrap(array, type, Device.CPU, 0, validation);
        } catch (Throwable e) {
            array.release();
            throw e;
        }
    }

    /** Imports a record batch from an {@code ArrowArray} and its {@code ArrowSchema}. */
    public static RecordBatch importBatch(long arrayAddress, long schemaAddress) {
        return importBatch(arrayAddress, schemaAddress, Validation.STRUCTURE);
    }

    /** Imports a record batch from an {@code ArrowArray} and its {@code ArrowSchema}. */
    public static RecordBatch importBatch(long arrayAddress, long schemaAddress, Validation validation) {
        Schema schema = schemaOf("importBatch", arrayAddress, schemaAddress);
        return importBatch(arrayAddress, schema, validation);
    }

    /** Imports a record batch of a known schema from an {@code ArrowArray}. */
    public static RecordBatch importBatch(long arrayAddress, Schema schema, Validation validation) {
        ImportedArray array = move("importBatch", arrayAddress, false);
        try {
            return ImportedArrays.wrapBatch(array, schema, Device.CPU, 0, validation);
        } catch (Throwable e) {
            array.release();
            throw e;
        }
    }

    /** Imports an {@code ArrowDeviceArray} of a type that an {@code ArrowSchema} describes. */
    public static DeviceArray importDeviceArray(long deviceArrayAddress, long schemaAddress) {
        return importDeviceArray(deviceArrayAddress, schemaAddress, Validation.STRUCTURE);
    }

    /** Imports an {@code ArrowDeviceArray} of a type that an {@code ArrowSchema} describes. */
    public static DeviceArray importDeviceArray(long deviceArrayAddress, long schemaAddress, Validation validation) {
        Field field = fieldOf("importDeviceArray", deviceArrayAddress, schemaAddress);
        return importDeviceArray(deviceArrayAddress, field.type(), validation);
    }

    /**
     * Imports an {@code ArrowDeviceArray} of a known type. Memory that the host can't read is not touched; of memory that
     * it can read, the array's event is awaited first.
     */
    public static DeviceArray importDeviceArray(long deviceArrayAddress, ArrowType type, Validation validation) {
        ImportedArray array = move("importDeviceArray", deviceArrayAddress, true);
        try {
            return ImportedArrays.wrapDeviceArray(array, type, validation);
        } catch (Throwable e) {
            array.release();
            throw e;
        }
    }

    /** Imports a record batch from an {@code ArrowDeviceArray} and its {@code ArrowSchema}. */
    public static RecordBatch importDeviceBatch(long deviceArrayAddress, long schemaAddress) {
        return importDeviceBatch(deviceArrayAddress, schemaAddress, Validation.STRUCTURE);
    }

    /** Imports a record batch from an {@code ArrowDeviceArray} and its {@code ArrowSchema}. */
    public static RecordBatch importDeviceBatch(long deviceArrayAddress, long schemaAddress, Validation validation) {
        Schema schema = schemaOf("importDeviceBatch", deviceArrayAddress, schemaAddress);
        ImportedArray array = move("importDeviceBatch", deviceArrayAddress, true);
        try {
            long struct = array.struct();
            return ImportedArrays.wrapBatch(
                    array, schema, ImportedArrays.device(struct), CDeviceArray.syncEvent(struct), validation);
        } catch (Throwable e) {
            array.release();
            throw e;
        }
    }

    /** Imports an {@code ArrowArrayStream}; its arrays are validated by structure. */
    public static DeviceArrayStream importStream(long streamAddress) {
        return importStream(streamAddress, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowArrayStream} and asks it for its schema, which may block.
     *
     * @throws ForeignException if the producer fails
     */
    public static DeviceArrayStream importStream(long streamAddress, Validation validation) {
        Requirements.requireAddress("importStream", "streamAddress", streamAddress);
        requireLive("ArrowArrayStream", CArrayStream.release(streamAddress));
        return ImportedStream.move(streamAddress, false, validation);
    }

    /** Imports an {@code ArrowDeviceArrayStream}; its arrays are validated by structure. */
    public static DeviceArrayStream importDeviceStream(long streamAddress) {
        return importDeviceStream(streamAddress, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowDeviceArrayStream} and asks it for its schema, which may block. An array on a device of
     * another type than the stream's fails the call that asked for it.
     *
     * @throws ForeignException if the producer fails
     */
    public static DeviceArrayStream importDeviceStream(long streamAddress, Validation validation) {
        Requirements.requireAddress("importDeviceStream", "streamAddress", streamAddress);
        requireLive("ArrowDeviceArrayStream", CDeviceArrayStream.release(streamAddress));
        return ImportedStream.move(streamAddress, true, validation);
    }

    private static ImportedArray move(String operation, long address, boolean deviceArray) {
        Requirements.requireAddress(operation, "arrayAddress", address);
        requireLive(deviceArray ? "ArrowDeviceArray" : "ArrowArray", CArray.release(address));
        return ImportedArray.move(address, deviceArray);
    }

    private static Field fieldOf(String operation, long arrayAddress, long schemaAddress) {
        return described(operation, arrayAddress, schemaAddress, field -> field);
    }

    private static Schema schemaOf(String operation, long arrayAddress, long schemaAddress) {
        return described(operation, arrayAddress, schemaAddress, Schema::fromStruct);
    }

    /** Consumes the schema; if that fails the array is consumed too. */
    private static <T> T described(
            String operation, long arrayAddress, long schemaAddress, Function<Field, T> description) {
        try {
            Requirements.requireAddress(operation, "schemaAddress", schemaAddress);
            return description.apply(SchemaImporter.importField(schemaAddress));
        } catch (Throwable e) {
            if (arrayAddress != 0 && Platform.HAS_FOREIGN_MEMORY) {
                Callbacks.releaseArray(arrayAddress);
            }
            throw e;
        }
    }

    private static void requireLive(String struct, long release) {
        if (release == 0) {
            throw new IllegalStateException(
                    "the " + struct + " has already been released or moved; it can be imported once");
        }
    }
}
