package dev.arrowdevice;

import dev.arrowdevice.internal.exchange.ArrayExports;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.exchange.SchemaExporter;
import dev.arrowdevice.internal.streams.StreamExports;
import dev.arrowdevice.spi.Errno;
import dev.arrowdevice.spi.Verb;
import java.util.Objects;

/**
 * Exports schemas, arrays and streams to foreign consumers. Only the structs are copied, never the values.
 *
 * <p><b>With a block</b>: the block gets structs that contain an export of a share, and passes their addresses to the
 * consumer. Until the block ends, the owner may be read but not moved. If the owner is closed meanwhile, reads fail,
 * and the memory is kept until the block ends. What the consumer did then decides: "the consumer moves the structure" by
 * marking it released. If {@code release} is NULL, the consumer took the export and the owner is moved, <em>also if
 * the block threw</em>. Otherwise the structs are released and the owner is live as before, <em>also if the block
 * returned</em>. A stream that was not taken continues where the consumer stopped. After the block the addresses are
 * invalid.
 *
 * <p><b>With a struct</b>: for a consumer that copies the struct without marking it released, or moves only its
 * children, and for a struct that belongs to the consumer. {@link CStruct} makes structs of bare addresses. The memory of
 * the struct is overwritten, and at a bare address never read: it may be uninitialised, or have the bytes of a struct that
 * was moved away. There is one exception: if memory of {@link CStruct#array()} or {@link CStruct#deviceArray()} contains
 * an array that this SDK exported and no consumer took, the export throws {@link IllegalStateException} and nothing is
 * lost. On success the ownership moves to the consumer,
 * which must call the struct's {@code release}, on any thread; the owner in Java is moved. On failure the caller
 * remains the owner, and the struct is marked released.
 *
 * <p>A schema that an import would refuse, as {@link ArrowImport} says, or that C can't express, because a name has a NUL
 * or half of a surrogate pair, is an {@link InvalidSchemaException}.
 *
 * <p>All methods throw {@link IllegalStateException} if the array, batch or stream was closed or moved, or is borrowed.
 * An exception of a block is thrown on. On Java before 22, and without native access, there are no structs: no block is called, and all methods
 * throw {@link UnsupportedOperationException}.
 */
public final class ArrowExport {
    private ArrowExport() {}

    /** Exports the schema of record batches: a struct field without a name, with the schema's metadata. */
    public static void exportSchema(Schema schema, CSchemaStruct target) {
        SchemaExporter.export(
                schema.toStruct(), Objects.requireNonNull(target, "target").getAddress());
    }

    /**
     * Passes an export of the schema of record batches to a block. After the block, it is released unless a consumer
     * took it.
     */
    public static <E extends Throwable> void exportSchema(Schema schema, CStruct.Block<CSchemaStruct, E> block)
            throws E {
        Requirements.requireNativeAccess("exportSchema");
        ExportBlocks.schema(schema.toStruct(), block);
    }

    /** Exports a field: name, type, nullability and metadata. */
    public static void exportField(Field field, CSchemaStruct target) {
        SchemaExporter.export(field, Objects.requireNonNull(target, "target").getAddress());
    }

    /** Passes an export of a field to a block. After the block, it is released unless a consumer took it. */
    public static <E extends Throwable> void exportField(Field field, CStruct.Block<CSchemaStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportField");
        ExportBlocks.schema(field, block);
    }

    /**
     * Moves an array in CPU memory to an {@code ArrowArray}.
     *
     * @throws IllegalArgumentException if the array is on another device; export it as a device array
     */
    public static void exportArray(DeviceArray array, CArrayStruct target) {
        ArrayExports.move(
                array,
                Verb.EXPORT_ARRAY,
                array.getType(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_ARRAY),
                false,
                0,
                null);
    }

    /** Moves an array in CPU memory to an {@code ArrowArray}, and exports its type to an {@code ArrowSchema}. */
    public static void exportArray(DeviceArray array, CArrayStruct target, CSchemaStruct schema) {
        exportArray(array, Field.nullable("", array.getType()), target, schema);
    }

    /**
     * Moves an array in CPU memory to an {@code ArrowArray}, and exports a field that describes it to an
     * {@code ArrowSchema}: both or none.
     *
     * @throws IllegalArgumentException also if the field's type is not the array's
     */
    public static void exportArray(DeviceArray array, Field field, CArrayStruct target, CSchemaStruct schema) {
        ArrayExports.move(
                array,
                Verb.EXPORT_ARRAY,
                array.getType(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_ARRAY),
                false,
                Objects.requireNonNull(schema, "schema").getAddress(),
                field);
    }

    /** Passes an export of an array in CPU memory, and of its type, to a block. */
    public static <E extends Throwable> void exportArray(
            DeviceArray array, CStruct.BlockWithSchema<CArrayStruct, E> block) throws E {
        exportArray(array, Field.nullable("", array.getType()), block);
    }

    /** Passes an export of an array in CPU memory, and of a field that describes it, to a block. */
    public static <E extends Throwable> void exportArray(
            DeviceArray array, Field field, CStruct.BlockWithSchema<CArrayStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportArray");
        requireType(Verb.EXPORT_ARRAY, array, field);
        ExportBlocks.array(array, Verb.EXPORT_ARRAY, field, new CArrayStruct(), false, block);
    }

    /** Moves a batch in CPU memory to an {@code ArrowArray}: the equivalent struct array, at offset 0. */
    public static void exportBatch(RecordBatch batch, CArrayStruct target) {
        DeviceArray struct = batch.struct();
        ArrayExports.move(
                struct,
                Verb.EXPORT_BATCH,
                struct.getType(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_BATCH),
                false,
                0,
                null);
    }

    /** Moves a batch in CPU memory to an {@code ArrowArray}, and exports its schema to an {@code ArrowSchema}. */
    public static void exportBatch(RecordBatch batch, CArrayStruct target, CSchemaStruct schema) {
        Field field = batch.getSchema().toStruct();
        ArrayExports.move(
                batch.struct(),
                Verb.EXPORT_BATCH,
                field.type(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_BATCH),
                false,
                Objects.requireNonNull(schema, "schema").getAddress(),
                field);
    }

    /** Passes an export of a batch in CPU memory, and of its schema, to a block. */
    public static <E extends Throwable> void exportBatch(
            RecordBatch batch, CStruct.BlockWithSchema<CArrayStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportBatch");
        Field field = batch.getSchema().toStruct();
        ExportBlocks.array(batch.struct(), Verb.EXPORT_BATCH, field, new CArrayStruct(), false, block);
    }

    /**
     * Moves an array to an {@code ArrowDeviceArray}, with the event that completes when its values are there. The event
     * belongs to the array and is destroyed when the consumer releases the array. If the values are there already, no
     * event is passed. Some consumers read the data before they wait: Arrow C++ reads the last offset of strings. Call
     * {@link DeviceArray#await} before an export to them. An unknown null count is computed if the values are there,
     * and otherwise passed on as unknown.
     */
    public static void exportDeviceArray(DeviceArray array, CDeviceArrayStruct target) {
        ArrayExports.move(
                array,
                Verb.EXPORT_DEVICE_ARRAY,
                array.getType(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_DEVICE_ARRAY),
                true,
                0,
                null);
    }

    /** Moves an array to an {@code ArrowDeviceArray}, and exports its type to an {@code ArrowSchema}. */
    public static void exportDeviceArray(DeviceArray array, CDeviceArrayStruct target, CSchemaStruct schema) {
        exportDeviceArray(array, Field.nullable("", array.getType()), target, schema);
    }

    /**
     * Moves an array to an {@code ArrowDeviceArray}, and exports a field that describes it to an {@code ArrowSchema}:
     * both or none.
     *
     * @throws IllegalArgumentException if the field's type is not the array's
     */
    public static void exportDeviceArray(
            DeviceArray array, Field field, CDeviceArrayStruct target, CSchemaStruct schema) {
        ArrayExports.move(
                array,
                Verb.EXPORT_DEVICE_ARRAY,
                array.getType(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_DEVICE_ARRAY),
                true,
                Objects.requireNonNull(schema, "schema").getAddress(),
                field);
    }

    /** Passes an export of an array on any device, and of its type, to a block. */
    public static <E extends Throwable> void exportDeviceArray(
            DeviceArray array, CStruct.BlockWithSchema<CDeviceArrayStruct, E> block) throws E {
        exportDeviceArray(array, Field.nullable("", array.getType()), block);
    }

    /** Passes an export of an array on any device, and of a field that describes it, to a block. */
    public static <E extends Throwable> void exportDeviceArray(
            DeviceArray array, Field field, CStruct.BlockWithSchema<CDeviceArrayStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportDeviceArray");
        requireType(Verb.EXPORT_DEVICE_ARRAY, array, field);
        ExportBlocks.array(array, Verb.EXPORT_DEVICE_ARRAY, field, new CDeviceArrayStruct(), true, block);
    }

    /**
     * Moves a batch to an {@code ArrowDeviceArray}; see {@link #exportDeviceArray(DeviceArray, CDeviceArrayStruct)}.
     */
    public static void exportDeviceBatch(RecordBatch batch, CDeviceArrayStruct target) {
        DeviceArray struct = batch.struct();
        ArrayExports.move(
                struct,
                Verb.EXPORT_DEVICE_BATCH,
                struct.getType(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_DEVICE_BATCH),
                true,
                0,
                null);
    }

    /** Moves a batch to an {@code ArrowDeviceArray}, and exports its schema to an {@code ArrowSchema}. */
    public static void exportDeviceBatch(RecordBatch batch, CDeviceArrayStruct target, CSchemaStruct schema) {
        Field field = batch.getSchema().toStruct();
        ArrayExports.move(
                batch.struct(),
                Verb.EXPORT_DEVICE_BATCH,
                field.type(),
                Objects.requireNonNull(target, "target").addressFor(Verb.EXPORT_DEVICE_BATCH),
                true,
                Objects.requireNonNull(schema, "schema").getAddress(),
                field);
    }

    /** Passes an export of a batch on any device, and of its schema, to a block. */
    public static <E extends Throwable> void exportDeviceBatch(
            RecordBatch batch, CStruct.BlockWithSchema<CDeviceArrayStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportDeviceBatch");
        Field field = batch.getSchema().toStruct();
        ExportBlocks.array(batch.struct(), Verb.EXPORT_DEVICE_BATCH, field, new CDeviceArrayStruct(), true, block);
    }

    /**
     * Moves a stream of arrays in CPU memory to an {@code ArrowArrayStream}. If the stream throws, the consumer gets an
     * error code (see {@link Errno#of}) and a message. The stream is closed when the consumer releases it.
     *
     * @throws IllegalArgumentException if the stream is on another device; export it as a device stream
     */
    public static void exportStream(DeviceArrayStream stream, CArrayStreamStruct target) {
        StreamExports.fill(
                stream,
                Verb.EXPORT_STREAM,
                Objects.requireNonNull(target, "target").getAddress(),
                () -> stream.move(Verb.EXPORT_STREAM));
    }

    /** Passes an export of a stream of arrays in CPU memory to a block. */
    public static <E extends Throwable> void exportStream(
            DeviceArrayStream stream, CStruct.Block<CArrayStreamStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportStream");
        ExportBlocks.stream(
                stream,
                Verb.EXPORT_STREAM,
                new CArrayStreamStruct(),
                (target, exported) -> StreamExports.fill(stream, Verb.EXPORT_STREAM, target, () -> exported),
                block);
    }

    /** Moves a stream to an {@code ArrowDeviceArrayStream}; see {@link #exportStream}. */
    public static void exportDeviceStream(DeviceArrayStream stream, CDeviceArrayStreamStruct target) {
        StreamExports.fillDevice(
                stream,
                Objects.requireNonNull(target, "target").getAddress(),
                () -> stream.move(Verb.EXPORT_DEVICE_STREAM));
    }

    /** Passes an export of a stream of arrays on any device to a block. */
    public static <E extends Throwable> void exportDeviceStream(
            DeviceArrayStream stream, CStruct.Block<CDeviceArrayStreamStruct, E> block) throws E {
        Requirements.requireNativeAccess("exportDeviceStream");
        ExportBlocks.stream(
                stream,
                Verb.EXPORT_DEVICE_STREAM,
                new CDeviceArrayStreamStruct(),
                (target, exported) -> StreamExports.fillDevice(stream, target, () -> exported),
                block);
    }

    private static void requireType(Verb verb, DeviceArray array, Field field) {
        if (!field.type().equals(array.getType())) {
            throw new IllegalArgumentException(
                    verb + ": the field is of type " + field.type() + ", the array of type " + array.getType());
        }
    }
}
