@file:JvmMultifileClass
@file:JvmName("ArrowJava")

package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrayView
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider
import org.apache.arrow.vector.ipc.ArrowReader
import org.apache.arrow.vector.types.pojo.Schema as JavaSchema

/**
 * A schema as Arrow Java's. Of metadata that is not text, or whose keys repeat, Arrow Java can only have a part: the
 * first value of each key, with U+FFFD in place of what is not UTF-8. Entries and keys of maps become not nullable. An
 * extension is of its class if that is registered in Arrow Java; otherwise it is its storage, with the metadata that
 * names it.
 *
 * @param allocator for the vectors of the dictionaries
 * @param dictionaries gets an empty vector for each dictionary, under an id that is not taken. The caller closes it
 * @throws IllegalArgumentException if there is a dictionary, and no provider
 * @throws UnsupportedOperationException if there is a type that arrow-java does not have: decimal32, decimal64, and
 *   fixed_size_binary of no bytes
 */
@JvmOverloads
public fun Schema.toArrowJava(
    allocator: BufferAllocator,
    dictionaries: MapDictionaryProvider? = null,
): JavaSchema = FieldsForArrowJava(allocator, dictionaries).schema(this)

/**
 * The rows of a batch as a root with vectors of its own, which the caller closes. The batch remains the caller's: both
 * sides are closed, in any order, on any thread. The memory is freed when both are.
 *
 * The vectors have the memory of the batch, and the allocator counts it: the bytes that they see. These are copied,
 * because vectors know no offset or because of what they expect:
 *  - a slice's validity bits, and values of the type bool, if it begins within a byte;
 *  - the run ends of a slice that does not begin at the first row;
 *  - validity bits that the batch does not have: vectors always have some. They are allocated, all set, once for all.
 *
 * If the values are not there yet, this waits for them. Do not write to the vectors: others may read the same memory.
 *
 * @param allocator of Arrow Java, whose limit holds
 * @param dictionaries gets the dictionaries, if there are any. The caller closes it, also if this fails
 * @throws org.apache.arrow.memory.OutOfMemoryException if the allocator's limit is too low. Then nothing is kept
 * @throws IllegalArgumentException if there is a dictionary, and no provider
 * @throws dev.arrowdevice.UnreadableDeviceException if the memory is on a device, and the host can't read it
 * @throws UnsupportedOperationException if Arrow Java can't represent the batch: a type that [toArrowJava] refuses,
 *   more than 2³¹ - 1 values, two fields of one name in a struct or union, unions in lists of a fixed size
 */
@JvmOverloads
public fun RecordBatch.toVectorSchemaRoot(
    allocator: BufferAllocator,
    dictionaries: MapDictionaryProvider? = null,
): VectorSchemaRoot {
    val javaSchema = schema.toArrowJava(allocator, dictionaries)
    val vectors = javaSchema.fields.map { it.newVector(allocator) }
    closingOnFailure(vectors) {
        load(vectors, allocator, dictionaries)
        return VectorSchemaRoot(javaSchema, vectors, Math.toIntExact(rowCount))
    }
}

/**
 * Loads the rows of a batch into a root, in place of what it has; see [toVectorSchemaRoot]. Faster than a root for each
 * batch. If this fails, the root is empty.
 *
 * @param root of the schema that [toArrowJava] makes of the batch's
 * @param dictionaries has the vectors of the dictionaries, which are loaded too
 * @throws IllegalArgumentException if the root has other columns than the batch
 */
@JvmOverloads
public fun RecordBatch.loadInto(
    root: VectorSchemaRoot,
    dictionaries: DictionaryProvider? = null,
) {
    val vectors = root.fieldVectors
    require(vectors.size == columnCount) { "a root of ${vectors.size} vectors for a batch of $columnCount columns" }
    try {
        val allocator = vectors.firstNotNullOfOrNull { it.allocator }
        load(vectors, allocator, dictionaries)
        root.rowCount = Math.toIntExact(rowCount)
        // Which has set the number of values of each child of a dense union to what it would be in a new vector.
        if (schema.fields().any { hasDenseUnion(it.type()) }) load(vectors, allocator, dictionaries)
    } catch (e: Throwable) {
        root.clear()
        throw e
    }
}

/**
 * The values of an array as a vector, which the caller closes; see [toVectorSchemaRoot].
 *
 * @param field the vector's name, nullability and metadata, and the array's type
 * @throws IllegalArgumentException if the array is not of that type
 */
@JvmOverloads
public fun ArrayView.toFieldVector(
    field: Field,
    allocator: BufferAllocator,
    dictionaries: MapDictionaryProvider? = null,
): FieldVector {
    require(field.type() == type) { "field \"${field.name()}\" is of type ${field.type()}, the array of $type" }
    val vector = FieldsForArrowJava(allocator, dictionaries).field(field).newVector(allocator)
    closingOnFailure(listOf(vector)) {
        await()
        val share = share()
        LentMemory.load(listOf(share.data), share, allocator, dictionaries) { it.load(vector, share.data) }
        return vector
    }
}

/**
 * The values of an array as a nullable vector of a name, which the caller closes; see [toVectorSchemaRoot].
 */
@JvmOverloads
public fun ArrayView.toFieldVector(
    name: String,
    allocator: BufferAllocator,
    dictionaries: MapDictionaryProvider? = null,
): FieldVector = toFieldVector(Field.nullable(name, type), allocator, dictionaries)

/**
 * The batches of a stream as a reader, whose one root has the rows of the current batch, without a copy; see
 * [toVectorSchemaRoot]. The reader has the dictionaries. The stream moves to the reader, which closes it.
 *
 * A failure of the stream passes through [ArrowReader.loadNextBatch]. After the last batch the root is empty.
 *
 * @throws IllegalStateException if the stream was closed or moved
 * @throws UnsupportedOperationException if there is a type that arrow-java does not have. Then the stream remains the
 *   caller's
 */
public fun DeviceArrayStream.toArrowReader(allocator: BufferAllocator): ArrowReader = StreamReader.of(this, allocator)
