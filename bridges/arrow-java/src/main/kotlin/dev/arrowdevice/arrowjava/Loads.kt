package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.TypeId
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.types.pojo.Field as JavaField

/**
 * Loads each column into its vector, in one allocation for all of them.
 *
 * @param allocator null if no vector has one: those of the null type
 */
internal fun RecordBatch.load(
    vectors: List<FieldVector>,
    allocator: BufferAllocator?,
    dictionaries: DictionaryProvider?,
) {
    if (allocator == null) {
        vectors.forEach { it.valueCount = Math.toIntExact(rowCount) }
        return
    }
    await()
    val share = share()
    val struct = share.asStruct().data
    val columns = List(struct.childCount, struct::seenChild)
    LentMemory.load(columns, share, allocator, dictionaries) { it.load(vectors, columns) }
}

/** Whether there is a dense union somewhere in a type. */
internal fun hasDenseUnion(type: ArrowType): Boolean {
    val storage = type.storageType()
    return storage.id() == TypeId.DENSE_UNION ||
        storage.children().any { hasDenseUnion(it.type()) } ||
        (storage is DictionaryType && hasDenseUnion(storage.valueType()))
}

/** Closes new vectors if what loads them fails. */
internal inline fun <R> closingOnFailure(
    vectors: List<FieldVector>,
    load: () -> R,
): R =
    try {
        load()
    } catch (e: Throwable) {
        vectors.forEach(FieldVector::close)
        throw e
    }

/** A vector of Arrow Java for a field of ours. There are types within types that it can't make. */
internal fun JavaField.newVector(allocator: BufferAllocator): FieldVector =
    try {
        createVector(allocator)
    } catch (e: RuntimeException) {
        throw UnsupportedOperationException("field \"$name\": arrow-java makes no vector of $type: ${e.message}", e)
    }
