@file:JvmMultifileClass
@file:JvmName("ArrowJava")

package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.OwnedArrays
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.ipc.ArrowReader
import org.apache.arrow.vector.types.pojo.Schema as JavaSchema

/**
 * A schema of Arrow Java as ours.
 *
 * @param dictionaries has the dictionaries of the fields that are encoded, of which only the types are used
 * @throws IllegalArgumentException if a dictionary is missing
 * @throws UnsupportedOperationException if there is a type that arrow-device does not have
 */
@JvmOverloads
public fun JavaSchema.toSchema(dictionaries: DictionaryProvider? = null): Schema =
    FieldsOfArrowJava(dictionaries).schema(this)

/**
 * The rows of a root as a batch, which the caller closes.
 *
 * ```kotlin
 * import dev.arrowdevice.arrowjava.toRecordBatch
 * import org.apache.arrow.vector.VectorSchemaRoot
 *
 * fun print(root: VectorSchemaRoot) = root.toRecordBatch().use { println(it) }
 * ```
 *
 * No value is copied: the batch has the memory of the vectors
 * and a reference to each of their buffers. Both sides are closed, in any order, on any thread. The memory is free, and
 * no longer counted by its allocator, when both are; so close the batch before the allocator.
 *
 * Later writes to the same vectors may be seen in the batch. A root that is *loaded* anew, as readers of files do, gets
 * other buffers, and the batch stays as it is.
 *
 * Only type ids of a sparse union are copied, and only if its writer did not use those of the schema.
 *
 * @param dictionaries has the dictionaries of the columns that are encoded
 * @throws IllegalArgumentException if a dictionary is missing, or a vector does not fit its field or its number of
 *   values
 * @throws UnsupportedOperationException if there is a type that arrow-device does not have
 */
@JvmOverloads
public fun VectorSchemaRoot.toRecordBatch(dictionaries: DictionaryProvider? = null): RecordBatch =
    toRecordBatch(schema.toSchema(dictionaries), dictionaries)

/**
 * The rows of a root as a batch; see the other overload. Faster, for callers that have the schema already.
 *
 * @param schema what [toSchema] makes of the root's schema
 */
@JvmOverloads
public fun VectorSchemaRoot.toRecordBatch(
    schema: Schema,
    dictionaries: DictionaryProvider? = null,
): RecordBatch {
    val reading = VectorReading(dictionaries)
    try {
        return OwnedArrays.batchOf(schema, reading.rows(this, schema), reading.owner, null)
    } catch (e: Throwable) {
        reading.owner.release()
        throw e
    }
}

/**
 * The values of a vector as an array, which the caller closes; see [toRecordBatch].
 *
 * The vector's own field says the type. It does not have the names of elements of lists, which are `$data$` in all
 * vectors, and does not have the type ids of a sparse union that the field was made with. A root's schema has both, or
 * pass the type.
 *
 * @param dictionaries has the dictionary, if the vector is encoded
 * @throws IllegalArgumentException if a dictionary is missing, or a vector does not fit its number of values
 * @throws UnsupportedOperationException if there is a type that arrow-device does not have
 */
@JvmOverloads
public fun FieldVector.toDeviceArray(dictionaries: DictionaryProvider? = null): DeviceArray =
    toDeviceArray(FieldsOfArrowJava(dictionaries).field(field).type(), dictionaries)

/**
 * The values of a vector as an array of a type, which is the vector's but for names and type ids; see [toRecordBatch].
 *
 * @throws IllegalArgumentException if the vector is not of that type
 */
@JvmOverloads
public fun FieldVector.toDeviceArray(
    type: ArrowType,
    dictionaries: DictionaryProvider? = null,
): DeviceArray {
    val reading = VectorReading(dictionaries)
    try {
        return OwnedArrays.of(reading.read(this, type), reading.owner)
    } catch (e: Throwable) {
        reading.owner.release()
        throw e
    }
}

/**
 * The batches of a reader as a stream. The reader moves to the stream, which closes it; on failure it remains the
 * caller's. Each batch has the memory that the reader has loaded, without a copy, and outlives the next load.
 *
 * The allocator of the reader counts the batches' memory, so close them before it. What the reader throws passes
 * through, an [java.io.IOException] as an [java.io.UncheckedIOException].
 *
 * @throws java.io.UncheckedIOException if the reader can't read the schema
 * @throws UnsupportedOperationException if there is a type that arrow-device does not have
 */
public fun ArrowReader.toDeviceArrayStream(): DeviceArrayStream = ReaderStream.of(this)

/** The rows of a root as a struct. A vector may have more values than the root has rows. */
internal fun VectorReading.rows(
    root: VectorSchemaRoot,
    schema: Schema,
): ArrayData {
    val vectors = root.fieldVectors
    val fields = schema.fields()
    require(vectors.size == fields.size) { "a root of ${vectors.size} vectors for a schema of ${fields.size} fields" }
    val children =
        Array(vectors.size) { i ->
            require(vectors[i].valueCount >= root.rowCount) {
                "vector \"${vectors[i].name}\" has ${vectors[i].valueCount} values, its root ${root.rowCount} rows"
            }
            read(vectors[i], fields[i].type())
        }
    val type = ArrowType.struct(fields)
    return ArrayData(type, Device.CPU, root.rowCount.toLong(), 0, 0, arrayOf(null), children, null)
}
