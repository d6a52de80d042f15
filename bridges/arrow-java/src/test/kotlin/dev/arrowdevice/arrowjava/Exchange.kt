package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.testkit.ReleaseBalance
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.IntVector
import org.apache.arrow.vector.VarCharVector
import org.apache.arrow.vector.VectorSchemaRoot
import kotlin.concurrent.thread

/** Runs a test with an allocator, which has its memory back at the end, as we have ours. */
internal inline fun <R> exchange(
    limit: Long = Long.MAX_VALUE,
    test: (BufferAllocator) -> R,
): R = ReleaseBalance.start().use { RootAllocator(limit).use(test) }

internal val people: Schema = Schema.of(Field.notNull("id", ArrowType.INT32), Field.nullable("name", ArrowType.UTF8))

internal fun rows(
    from: Int,
    count: Int,
): List<List<Any?>> = List(count) { listOf(from + it, if ((from + it) % 3 == 0) null else "person ${from + it}") }

/** Rows of [people]; the parameters say how many, and which is the first. */
internal fun people(
    from: Int,
    count: Int,
): RecordBatch =
    RecordBatchBuilder.of(people).use { builder ->
        rows(from, count).forEach { builder.appendRow(*it.toTypedArray()) }
        builder.finish()
    }

/** The same in Arrow Java, by its own setters. */
internal fun peopleOfArrowJava(
    allocator: BufferAllocator,
    from: Int,
    count: Int,
): VectorSchemaRoot {
    val root = VectorSchemaRoot.create(people.toArrowJava(allocator), allocator)
    rows(from, count).forEachIndexed { i, (id, name) ->
        (root.getVector("id") as IntVector).setSafe(i, id as Int)
        (root.getVector("name") as VarCharVector).let { vector ->
            name?.let { vector.setSafe(i, it.toString().encodeToByteArray()) } ?: vector.setNull(i)
        }
    }
    root.rowCount = count
    return root
}

/** Read by Arrow Java's own getters. */
internal fun read(root: VectorSchemaRoot): List<List<Any?>> =
    List(root.rowCount) { row ->
        root.fieldVectors.map { vector ->
            vector.getObject(row).let { if (it is Int) it else it?.toString() }
        }
    }

internal fun read(batch: RecordBatch): List<List<Any?>> =
    List(batch.rowCount.toInt()) { row -> List(batch.columnCount) { batch.column(it).getObject(row.toLong()) } }

/** The rows of all batches that are left. */
internal fun readAll(stream: DeviceArrayStream): List<List<Any?>> =
    generateSequence(stream::nextBatch).flatMap { batch -> batch.use(::read) }.toList()

internal fun onOtherThread(block: () -> Unit) {
    var failure: Throwable? = null
    thread { failure = runCatching(block).exceptionOrNull() }.join()
    failure?.let { throw it }
}
