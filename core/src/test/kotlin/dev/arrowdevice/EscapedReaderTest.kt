package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.internal.memory.Platform
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlin.concurrent.thread

/** Reads after the end of a borrow, on other threads, and of null: refused in words that say what to write. */
class EscapedReaderTest :
    FunSpec({
        extension(MemoryBalance())

        /** A reader that has left its borrow. */
        fun escaped(array: ArrayView): ArrayReader {
            var kept: ArrayReader? = null
            array.borrow<Unit> { kept = it }
            return requireNotNull(kept)
        }

        context("a reader that escaped from its borrow refuses every read, on every Java:") {
            withData<Pair<ArrowType, Any?>>(
                nameFn = { "${it.first}" },
                ArrowType.INT64 to 1L,
                ArrowType.UTF8 to "text",
                ArrowType.UTF8_VIEW to "a text that is longer than a view",
                ArrowType.BOOL to true,
                ArrowType.NULL to null,
                ArrowType.list(ArrowType.INT32) to listOf(1),
                ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false) to "text",
                ArrowType.struct(Field.nullable("a", ArrowType.INT32)) to mapOf("a" to 1),
            ) { (type, value) ->
                arrayOf(type, value).use { array ->
                    val reader = escaped(array)
                    val reads =
                        listOf<() -> Any?>(
                            { reader.isNull(0) },
                            { reader.getObject(0) },
                            { reader.length },
                            { if (reader.childCount > 0) reader.child(0).isNull(0) else reader.isNull(0) },
                        )
                    reads.forEach { read ->
                        shouldThrow<IllegalStateException> { read() }.message shouldContain
                            "the reader's borrow has ended; read inside the block of borrow"
                    }
                    array.borrow<Long> { it.length } shouldBe 1
                }
            }
        }

        test("it refuses after the close of its owner too, and names the field") {
            val batch = recordBatch { column<Long>("age") { add(36L) } }
            val reader = escaped(batch.column("age"))
            batch.close()
            shouldThrow<IllegalStateException> { reader.getLong(0) }.message shouldBe
                "read of field \"age\": the reader's borrow has ended; read inside the block of borrow, " +
                "or share() the array and close the share"
        }

        test("another thread is refused in our words, where native memory must be protected from it") {
            arrayOf(ArrowType.INT64, 1L).use { array ->
                array.borrow<Unit> { reader ->
                    var failure: Throwable? = null
                    thread { failure = runCatching { reader.getLong(0) }.exceptionOrNull() }.join()
                    if (Platform.hasNativeAccess()) {
                        val message = requireNotNull(failure).message
                        message shouldContain "only the thread that called borrow may read"
                        failure!!::class shouldBe IllegalStateException::class
                        message shouldNotContain "Attempted access"
                    }
                    reader.getLong(0) shouldBe 1L
                }
            }
        }

        test("getters of a column name it") {
            val batch =
                recordBatch {
                    column<Long>("age") {
                        add(36L)
                        addNull()
                    }
                }
            val column = batch.column("age")
            shouldThrow<IllegalStateException> { column.getLong(1) }.message shouldBe
                "the value at index 1 of field \"age\" is null; ask isNull first"
            shouldThrow<IndexOutOfBoundsException> { column.getLong(2) }.message shouldBe
                "index 2 of an array of length 2 in field \"age\""
            shouldThrow<UnsupportedOperationException> { column.getString(0) }.message shouldBe
                "an array of type int64, field \"age\", has no string values; getLong reads its values"
            shouldThrow<IllegalStateException> { column.toLongArray() }.message shouldContain "of field \"age\""
            batch.borrow<Unit> { reader ->
                shouldThrow<IllegalStateException> { reader.child(0).getLong(1) }.message shouldContain
                    "of field \"age\""
            }
            batch.close()
            shouldThrow<IllegalStateException> { column.getLong(0) }.message shouldBe
                "getLong of field \"age\": the array has been closed; share() keeps an owner for later"
        }

        test("what describes a batch can be asked after it was closed; its values can't") {
            val batch = recordBatch { column<Long>("age") { add(36L) } }
            batch.close()
            batch.rowCount shouldBe 1L
            batch.schema.field(0).name() shouldBe "age"
            batch.isLive shouldBe false
            batch.toString() shouldContain "released"
            shouldThrow<IllegalStateException> { batch.share() }.message shouldContain "share() keeps an owner"
        }
    })
