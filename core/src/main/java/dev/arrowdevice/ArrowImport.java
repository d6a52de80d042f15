package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.exchange.ImportedArray;
import dev.arrowdevice.internal.exchange.ImportedArrays;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.exchange.SchemaImporter;
import dev.arrowdevice.internal.streams.ImportedStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Imports schemas, arrays and streams of foreign producers. Nothing is copied.
 *
 * <p><b>With a block</b>: the block gets empty structs and lets the producer fill them. Then their content is imported.
 * If the block throws, the content of the structs is released. If it returns without filling them, the import throws
 * {@link IllegalStateException}. After the block the addresses are invalid.
 *
 * <p><b>With a struct</b>: an import consumes its structs exactly once, on success and on failure. It moves the content
 * out and marks the struct released. If the content is wrong, the import releases it and throws an exception that says
 * what is wrong. The memory of the structs remains the caller's. If an array comes with its schema, both are consumed
 * in either case.
 *
 * <p>A schema as a whole may have 64 levels, 1,048,576 fields, 1,048,576 entries of metadata, and 64 MiB of names,
 * formats and metadata. A name may have 1,048,575 bytes, a format 65,535. A larger schema is malformed. Exports have the
 * same limits.
 *
 * <p>Without a {@link Validation}, arrays are checked by {@linkplain Validation#STRUCTURE structure}. All methods throw
 * {@link IllegalStateException} for a struct that was released or moved before, {@link InvalidSchemaException} for a
 * malformed schema, and {@link InvalidArrayException} for an array that breaks the specification at the level of
 * {@link Validation} that was asked for. They may be called from any thread. On Java before 22 there are no structs: no
 * block is called, and all methods throw {@link UnsupportedOperationException}.
 */
public final class ArrowImport {
    private ArrowImport() {}

    /** Imports a field: name, type, nullability and metadata. */
    public static Field importField(CSchemaStruct schema) {
        return SchemaImporter.importField(
                Objects.requireNonNull(schema, "schema").getAddress());
    }

    /** Imports the field that a block puts into a struct. */
    public static <E extends Throwable> Field importField(CStruct.Block<CSchemaStruct, E> fill) throws E {
        return ImportBlocks.one("importField", CSchemaStruct::new, fill, schema -> importField(schema));
    }

    /**
     * Imports the schema of record batches.
     *
     * @throws InvalidSchemaException also if it is no struct
     */
    public static Schema importSchema(CSchemaStruct schema) {
        return Schema.fromStruct(SchemaImporter.importField(
                Objects.requireNonNull(schema, "schema").getAddress()));
    }

    /** Imports the schema of record batches that a block puts into a struct. */
    public static <E extends Throwable> Schema importSchema(CStruct.Block<CSchemaStruct, E> fill) throws E {
        return ImportBlocks.one("importSchema", CSchemaStruct::new, fill, schema -> importSchema(schema));
    }

    /** Imports an array of the type that a schema describes; see {@link #importArray(CArrayStruct, CSchemaStruct, Validation)}. */
    public static DeviceArray importArray(CArrayStruct array, CSchemaStruct schema) {
        return importArray(array, schema, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowArray} of the type that an {@code ArrowSchema} describes. An array knows its type, but not
     * the field's name, nullability and metadata. To keep those, use {@link #importColumn}, or
     * {@link #importField(CSchemaStruct) import the field} first, and then the array by its type.
     */
    public static DeviceArray importArray(CArrayStruct array, CSchemaStruct schema, Validation validation) {
        return importArray(array, described(array, schema, field -> field).type(), validation);
    }

    /** Imports an {@code ArrowArray} of a known type. */
    public static DeviceArray importArray(CArrayStruct array, ArrowType type) {
        return importArray(array, type, Validation.STRUCTURE);
    }

    /** Imports an {@code ArrowArray} of a known type. */
    public static DeviceArray importArray(CArrayStruct array, ArrowType type, Validation validation) {
        ImportedArray moved =
                move("ArrowArray", Objects.requireNonNull(array, "array").getAddress(), false);
        try {
            return ImportedArrays.wrap(moved, type, Device.CPU, 0, validation);
        } catch (Throwable e) {
            moved.release();
            throw e;
        }
    }

    /** Imports the array that a block puts into structs. */
    public static <E extends Throwable> DeviceArray importArray(CStruct.BlockWithSchema<CArrayStruct, E> fill)
            throws E {
        return importArray(Validation.STRUCTURE, fill);
    }

    /** Imports the array that a block puts into structs. */
    public static <E extends Throwable> DeviceArray importArray(
            Validation validation, CStruct.BlockWithSchema<CArrayStruct, E> fill) throws E {
        return ImportBlocks.two(
                "importArray", CArrayStruct::new, fill, (array, schema) -> importArray(array, schema, validation));
    }

    /**
     * Imports an {@code ArrowArray} and the field that describes it, as a batch of one column. The name, nullability
     * and metadata of the field are kept.
     *
     * @throws IllegalArgumentException if the array has nulls and the field is not nullable; both are consumed
     */
    public static RecordBatch importColumn(CArrayStruct array, CSchemaStruct schema) {
        return importColumn(array, schema, Validation.STRUCTURE);
    }

    /** Imports an {@code ArrowArray} as a batch of one column; see {@link #importColumn(CArrayStruct, CSchemaStruct)}. */
    public static RecordBatch importColumn(CArrayStruct array, CSchemaStruct schema, Validation validation) {
        Field field = described(array, schema, described -> described);
        return column(field, importArray(array, field.type(), validation));
    }

    /** Imports a record batch from an {@code ArrowArray} and its {@code ArrowSchema}. */
    public static RecordBatch importBatch(CArrayStruct array, CSchemaStruct schema) {
        return importBatch(array, schema, Validation.STRUCTURE);
    }

    /** Imports a record batch from an {@code ArrowArray} and its {@code ArrowSchema}. */
    public static RecordBatch importBatch(CArrayStruct array, CSchemaStruct schema, Validation validation) {
        return importBatch(array, described(array, schema, Schema::fromStruct), validation);
    }

    /** Imports a record batch of a known schema from an {@code ArrowArray}. */
    public static RecordBatch importBatch(CArrayStruct array, Schema schema) {
        return importBatch(array, schema, Validation.STRUCTURE);
    }

    /** Imports a record batch of a known schema from an {@code ArrowArray}. */
    public static RecordBatch importBatch(CArrayStruct array, Schema schema, Validation validation) {
        ImportedArray moved =
                move("ArrowArray", Objects.requireNonNull(array, "array").getAddress(), false);
        try {
            return ImportedArrays.wrapBatch(moved, schema, Device.CPU, 0, validation);
        } catch (Throwable e) {
            moved.release();
            throw e;
        }
    }

    /** Imports the record batch that a block puts into structs. */
    public static <E extends Throwable> RecordBatch importBatch(CStruct.BlockWithSchema<CArrayStruct, E> fill)
            throws E {
        return importBatch(Validation.STRUCTURE, fill);
    }

    /** Imports the record batch that a block puts into structs. */
    public static <E extends Throwable> RecordBatch importBatch(
            Validation validation, CStruct.BlockWithSchema<CArrayStruct, E> fill) throws E {
        return ImportBlocks.two(
                "importBatch", CArrayStruct::new, fill, (array, schema) -> importBatch(array, schema, validation));
    }

    /** Imports an {@code ArrowDeviceArray} of the type that an {@code ArrowSchema} describes. */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, CSchemaStruct schema) {
        return importDeviceArray(array, schema, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowDeviceArray} of the type that an {@code ArrowSchema} describes. Only the type of the field
     * is kept; see {@link #importDeviceColumn}.
     */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, CSchemaStruct schema, Validation validation) {
        return importDeviceArray(array, described(array, schema, field -> field).type(), validation);
    }

    /** Imports an {@code ArrowDeviceArray} of a known type. */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, ArrowType type) {
        return importDeviceArray(array, type, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowDeviceArray} of a known type. If the host can read the memory, this awaits the array's
     * event first. Otherwise it does not touch the memory.
     */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, ArrowType type, Validation validation) {
        ImportedArray moved =
                move("ArrowDeviceArray", Objects.requireNonNull(array, "array").getAddress(), true);
        try {
            return ImportedArrays.wrapDeviceArray(moved, type, validation);
        } catch (Throwable e) {
            moved.release();
            throw e;
        }
    }

    /** Imports the device array that a block puts into structs. */
    public static <E extends Throwable> DeviceArray importDeviceArray(
            CStruct.BlockWithSchema<CDeviceArrayStruct, E> fill) throws E {
        return importDeviceArray(Validation.STRUCTURE, fill);
    }

    /** Imports the device array that a block puts into structs. */
    public static <E extends Throwable> DeviceArray importDeviceArray(
            Validation validation, CStruct.BlockWithSchema<CDeviceArrayStruct, E> fill) throws E {
        return ImportBlocks.two(
                "importDeviceArray",
                CDeviceArrayStruct::new,
                fill,
                (array, schema) -> importDeviceArray(array, schema, validation));
    }

    /** Imports an {@code ArrowDeviceArray} as a batch of one column; see {@link #importColumn(CArrayStruct, CSchemaStruct)}. */
    public static RecordBatch importDeviceColumn(CDeviceArrayStruct array, CSchemaStruct schema) {
        return importDeviceColumn(array, schema, Validation.STRUCTURE);
    }

    /** Imports an {@code ArrowDeviceArray} as a batch of one column; see {@link #importColumn(CArrayStruct, CSchemaStruct)}. */
    public static RecordBatch importDeviceColumn(
            CDeviceArrayStruct array, CSchemaStruct schema, Validation validation) {
        Field field = described(array, schema, described -> described);
        return column(field, importDeviceArray(array, field.type(), validation));
    }

    /** Imports a record batch from an {@code ArrowDeviceArray} and its {@code ArrowSchema}. */
    public static RecordBatch importDeviceBatch(CDeviceArrayStruct array, CSchemaStruct schema) {
        return importDeviceBatch(array, schema, Validation.STRUCTURE);
    }

    /** Imports a record batch from an {@code ArrowDeviceArray} and its {@code ArrowSchema}. */
    public static RecordBatch importDeviceBatch(CDeviceArrayStruct array, CSchemaStruct schema, Validation validation) {
        return importDeviceBatch(array, described(array, schema, Schema::fromStruct), validation);
    }

    /** Imports a record batch of a known schema from an {@code ArrowDeviceArray}. */
    public static RecordBatch importDeviceBatch(CDeviceArrayStruct array, Schema schema) {
        return importDeviceBatch(array, schema, Validation.STRUCTURE);
    }

    /** Imports a record batch of a known schema from an {@code ArrowDeviceArray}. */
    public static RecordBatch importDeviceBatch(CDeviceArrayStruct array, Schema schema, Validation validation) {
        ImportedArray moved =
                move("ArrowDeviceArray", Objects.requireNonNull(array, "array").getAddress(), true);
        try {
            long struct = moved.struct();
            return ImportedArrays.wrapBatch(
                    moved, schema, ImportedArrays.device(struct), CDeviceArray.syncEvent(struct), validation);
        } catch (Throwable e) {
            moved.release();
            throw e;
        }
    }

    /** Imports the record batch on a device that a block puts into structs. */
    public static <E extends Throwable> RecordBatch importDeviceBatch(
            CStruct.BlockWithSchema<CDeviceArrayStruct, E> fill) throws E {
        return importDeviceBatch(Validation.STRUCTURE, fill);
    }

    /** Imports the record batch on a device that a block puts into structs. */
    public static <E extends Throwable> RecordBatch importDeviceBatch(
            Validation validation, CStruct.BlockWithSchema<CDeviceArrayStruct, E> fill) throws E {
        return ImportBlocks.two(
                "importDeviceBatch",
                CDeviceArrayStruct::new,
                fill,
                (array, schema) -> importDeviceBatch(array, schema, validation));
    }

    /** Imports an {@code ArrowArrayStream}; its arrays are validated by structure. */
    public static DeviceArrayStream importStream(CArrayStreamStruct stream) {
        return importStream(stream, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowArrayStream} and calls its {@code get_schema}, which may block.
     *
     * @throws ForeignException if the producer fails
     */
    public static DeviceArrayStream importStream(CArrayStreamStruct stream, Validation validation) {
        Requirements.requireLive(
                "ArrowArrayStream", Objects.requireNonNull(stream, "stream").isLive());
        return ImportedStream.move(Objects.requireNonNull(stream, "stream").getAddress(), false, validation);
    }

    /** Imports the stream that a block puts into a struct. */
    public static <E extends Throwable> DeviceArrayStream importStream(CStruct.Block<CArrayStreamStruct, E> fill)
            throws E {
        return importStream(Validation.STRUCTURE, fill);
    }

    /** Imports the stream that a block puts into a struct. */
    public static <E extends Throwable> DeviceArrayStream importStream(
            Validation validation, CStruct.Block<CArrayStreamStruct, E> fill) throws E {
        return ImportBlocks.one(
                "importStream", CArrayStreamStruct::new, fill, stream -> importStream(stream, validation));
    }

    /** Imports an {@code ArrowDeviceArrayStream}; its arrays are validated by structure. */
    public static DeviceArrayStream importDeviceStream(CDeviceArrayStreamStruct stream) {
        return importDeviceStream(stream, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowDeviceArrayStream} and calls its {@code get_schema}, which may block. If an array of the
     * stream is on another type of device, the call that asked for the array fails.
     *
     * @throws ForeignException if the producer fails
     */
    public static DeviceArrayStream importDeviceStream(CDeviceArrayStreamStruct stream, Validation validation) {
        Requirements.requireLive(
                "ArrowDeviceArrayStream",
                Objects.requireNonNull(stream, "stream").isLive());
        return ImportedStream.move(Objects.requireNonNull(stream, "stream").getAddress(), true, validation);
    }

    /** Imports the device stream that a block puts into a struct. */
    public static <E extends Throwable> DeviceArrayStream importDeviceStream(
            CStruct.Block<CDeviceArrayStreamStruct, E> fill) throws E {
        return importDeviceStream(Validation.STRUCTURE, fill);
    }

    /** Imports the device stream that a block puts into a struct. */
    public static <E extends Throwable> DeviceArrayStream importDeviceStream(
            Validation validation, CStruct.Block<CDeviceArrayStreamStruct, E> fill) throws E {
        return ImportBlocks.one(
                "importDeviceStream",
                CDeviceArrayStreamStruct::new,
                fill,
                stream -> importDeviceStream(stream, validation));
    }

    private static ImportedArray move(String struct, long address, boolean deviceArray) {
        Requirements.requireLive(struct, CArray.release(address) != 0);
        return ImportedArray.move(address, deviceArray);
    }

    /** Consumes the schema. If that fails, consumes the array too. */
    private static <T> T described(CStruct array, CSchemaStruct schema, Function<Field, T> description) {
        Objects.requireNonNull(array, "array");
        Objects.requireNonNull(schema, "schema");
        try {
            return description.apply(SchemaImporter.importField(schema.getAddress()));
        } catch (Throwable e) {
            array.releaseContent();
            throw e;
        }
    }

    private static RecordBatch column(Field field, DeviceArray array) {
        try (array) {
            return RecordBatch.of(Schema.of(field), List.of(array));
        }
    }
}
