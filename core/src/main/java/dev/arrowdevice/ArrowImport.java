package dev.arrowdevice;

import dev.arrowdevice.internal.abi.CArray;
import dev.arrowdevice.internal.abi.CDeviceArray;
import dev.arrowdevice.internal.exchange.ImportedArray;
import dev.arrowdevice.internal.exchange.ImportedArrays;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.internal.exchange.SchemaImporter;
import dev.arrowdevice.internal.streams.ImportedStream;
import java.util.List;
import java.util.function.Function;

/**
 * Takes schemas, arrays and streams from foreign producers. Nothing is copied.
 *
 * <p><b>With a block</b>: the block gets structs of ours and lets the producer fill them; then their content is imported.
 * If the block throws, what it put into them is released; if it returns without filling them: {@link
 * IllegalStateException}. The addresses die with the block.
 *
 * <p><b>With a struct</b>: an import consumes its structs exactly once, on success and on failure: the content is moved
 * out and the struct is marked released; if anything is wrong with it, it is released and an exception says what. The
 * memory of the structs stays the caller's. Where an array comes with its schema, both are consumed in either case.
 *
 * <p>Arrays are checked by {@linkplain Validation#STRUCTURE structure} if no {@link Validation} is named. All methods
 * throw {@link IllegalStateException} for a struct that was released or moved before, {@link InvalidSchemaException} for
 * a malformed schema, and {@link InvalidArrayException} for an array that breaks the specification at the level of {@link
 * Validation} asked for. They may be called from any thread. On Java before 22 there are no structs: a block is not
 * called, and {@link UnsupportedOperationException} thrown.
 */
public final class ArrowImport {
    private ArrowImport() {}

    /** Imports a field: name, type, nullability and metadata. */
    public static Field importField(CSchemaStruct schema) {
        return SchemaImporter.importField(schema.getAddress());
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
        return Schema.fromStruct(SchemaImporter.importField(schema.getAddress()));
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
     * Imports an {@code ArrowArray} of the type that an {@code ArrowSchema} describes. An array knows its type, not the
     * field's name, nullability and metadata: {@link #importColumn} keeps them; or {@link #importField(CSchemaStruct)
     * import the field} first, and the array by its type.
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
        ImportedArray moved = move("ArrowArray", array.getAddress(), false);
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
     * Imports an {@code ArrowArray} and the field that describes it, as a batch of one column: what the schema says of
     * name, nullability and metadata is kept.
     *
     * @throws IllegalArgumentException if the array has nulls and the field is not nullable; both were consumed
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
        ImportedArray moved = move("ArrowArray", array.getAddress(), false);
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
     * Imports an {@code ArrowDeviceArray} of the type that an {@code ArrowSchema} describes. Of the field only the type is
     * kept; see {@link #importDeviceColumn}.
     */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, CSchemaStruct schema, Validation validation) {
        return importDeviceArray(array, described(array, schema, field -> field).type(), validation);
    }

    /** Imports an {@code ArrowDeviceArray} of a known type. */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, ArrowType type) {
        return importDeviceArray(array, type, Validation.STRUCTURE);
    }

    /**
     * Imports an {@code ArrowDeviceArray} of a known type. Memory that the host can't read is not touched; of memory that
     * it can read, the array's event is awaited first.
     */
    public static DeviceArray importDeviceArray(CDeviceArrayStruct array, ArrowType type, Validation validation) {
        ImportedArray moved = move("ArrowDeviceArray", array.getAddress(), true);
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
        ImportedArray moved = move("ArrowDeviceArray", array.getAddress(), true);
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
     * Imports an {@code ArrowArrayStream} and asks it for its schema, which may block.
     *
     * @throws ForeignException if the producer fails
     */
    public static DeviceArrayStream importStream(CArrayStreamStruct stream, Validation validation) {
        Requirements.requireLive("ArrowArrayStream", stream.isLive());
        return ImportedStream.move(stream.getAddress(), false, validation);
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
     * Imports an {@code ArrowDeviceArrayStream} and asks it for its schema, which may block. An array on a device of
     * another type than the stream's fails the call that asked for it.
     *
     * @throws ForeignException if the producer fails
     */
    public static DeviceArrayStream importDeviceStream(CDeviceArrayStreamStruct stream, Validation validation) {
        Requirements.requireLive("ArrowDeviceArrayStream", stream.isLive());
        return ImportedStream.move(stream.getAddress(), true, validation);
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

    /** Consumes the schema; if that fails the array is consumed too. */
    private static <T> T described(CStruct array, CSchemaStruct schema, Function<Field, T> description) {
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
