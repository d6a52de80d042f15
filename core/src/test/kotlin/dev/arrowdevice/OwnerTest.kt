package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.builder.objects
import dev.arrowdevice.spi.Diagnostics
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.ref.ReferenceQueue
import java.lang.ref.WeakReference
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread

private fun ints(vararg values: Int?) = arrayOf(ArrowType.INT32, *values)

private fun stateMessage(block: () -> Unit): String = shouldThrow<IllegalStateException>(block).message.orEmpty()

class OwnerTest :
    FunSpec({
        extension(MemoryBalance())

        test("closing again does nothing") {
            val array = ints(1, 2)
            array.close()
            array.close()
            array.isLive shouldBe false
        }

        test("each use after close throws and names the operation and the state") {
            val array = ints(1, 2)
            val child = array.slice(0, 1).also { it.close() }
            array.close()
            stateMessage { array.getInt(0) } shouldContain "getInt: the array has been closed"
            stateMessage { array.share() } shouldContain "share: the array has been closed"
            stateMessage { array.slice(0, 1) } shouldContain "slice: the array has been closed"
            stateMessage { array.borrow { 1 } } shouldContain "borrow: the array has been closed"
            stateMessage { array.copyTo(array.device) } shouldContain "copyTo: the array has been closed"
            stateMessage { array.toIntArray() } shouldContain "toIntArray: the array has been closed"
            stateMessage { child.isNull(0) } shouldContain "isNull: the array has been closed"
        }

        test("a use of a moved array says so, and closing it does not close the new owner") {
            val array = ints(1, 2)
            RecordBatch.of(Schema.of(Field.nullable("a", ArrowType.INT32)), listOf(array)).use { batch ->
                stateMessage { array.getInt(0) } shouldContain "getInt: the array has been moved"
                stateMessage { array.share() } shouldContain "moved"
                array.close()
                batch.column(0).getInt(1) shouldBe 2
            }
        }

        test("shares and slices keep the memory after the first owner is closed") {
            val buffers = ArrowCounters.now().hostBuffers()
            val array = ints(1, 2, 3)
            val share = array.share()
            val slice = array.slice(1, 2)
            array.close()
            share.objects() shouldBe listOf(1, 2, 3)
            share.close()
            slice.objects() shouldBe listOf(2, 3)
            (ArrowCounters.now().hostBuffers() > buffers) shouldBe true
            slice.close()
            ArrowCounters.now().hostBuffers() shouldBe buffers
        }

        test("a column lives as long as its batch") {
            val batch = RecordBatch.of(Schema.of(Field.nullable("a", ArrowType.INT32)), listOf(ints(7)))
            val column = batch.column("a")
            column.getInt(0) shouldBe 7
            val kept = column.share()
            batch.close()
            stateMessage { column.getInt(0) } shouldContain "closed"
            kept.use { it.getInt(0) shouldBe 7 }
        }

        test("close within a borrow takes effect at its end") {
            val buffers = ArrowCounters.now().hostBuffers()
            val array = ints(4, 5)
            val sum =
                array.borrow { reader ->
                    array.close()
                    stateMessage { array.getInt(0) } shouldContain "closed"
                    reader.getInt(0) + reader.getInt(1)
                }
            sum shouldBe 9
            ArrowCounters.now().hostBuffers() shouldBe buffers
        }

        test("a borrowed array can't be moved, and stays live") {
            val schema = Schema.of(Field.nullable("a", ArrowType.INT32))
            ints(1).use { array ->
                array.borrow { stateMessage { RecordBatch.of(schema, listOf(array)) } } shouldContain "is borrowed"
                array.getInt(0) shouldBe 1
            }
        }

        test("if a batch can't be made, the caller keeps all columns") {
            val two = Schema.of(Field.nullable("a", ArrowType.INT32), Field.nullable("b", ArrowType.INT32))
            ints(1).use { a ->
                ints(1, 2).use { longer ->
                    shouldThrow<IllegalArgumentException> {
                        RecordBatch.of(
                            two,
                            listOf(a, longer),
                        )
                    }.message shouldContain
                        "column \"b\" has 2 rows, the batch 1"
                }
                val closed = ints(2).also { it.close() }
                stateMessage { RecordBatch.of(two, listOf(a, closed)) } shouldContain "closed"
                stateMessage { RecordBatch.of(two, listOf(a, a)) } shouldContain "moved"
                a.getInt(0) shouldBe 1
            }
        }

        test("the error of a column with a wrong type or unexpected nulls names it") {
            ints(1, null).use { a ->
                val notNull = Schema.of(Field.notNull("a", ArrowType.INT32))
                shouldThrow<IllegalArgumentException> { RecordBatch.of(notNull, listOf(a)) }.message shouldContain
                    "column \"a\" is declared not nullable and has 1 nulls"
                val wrong = Schema.of(Field.nullable("a", ArrowType.UTF8))
                shouldThrow<IllegalArgumentException> { RecordBatch.of(wrong, listOf(a)) }.message shouldContain
                    "column \"a\" is declared utf8, its array is int32"
            }
        }

        test("a batch becomes a struct array and a batch again with its metadata") {
            val schema = Schema.of(Field.nullable("a", ArrowType.INT32)).withMetadata(Metadata.of("k", "v"))
            val batch = RecordBatch.of(schema, listOf(ints(1, null)))
            val struct = batch.intoStruct()
            stateMessage { batch.column(0).getInt(0) } shouldContain "moved"
            RecordBatch.ofStruct(schema, struct).use {
                it.schema.metadata.get("k") shouldBe "v"
                it.column("a").objects() shouldBe listOf(1, null)
            }
        }

        test("the error of a missing column names it and the existing ones") {
            RecordBatch.of(Schema.of(Field.nullable("a", ArrowType.INT32)), listOf(ints(1))).use { batch ->
                shouldThrow<IllegalArgumentException> { batch.column("b") }.message shouldBe
                    "no column is named \"b\"; there are: a"
            }
        }

        test("closing while other threads read gives data or an exception, and frees once") {
            repeat(200) {
                val array = ints(*Array(64) { index -> index })
                val start = CountDownLatch(1)
                val wrong = AtomicInteger()
                val readers =
                    List(3) {
                        thread {
                            start.await()
                            try {
                                while (true) {
                                    if (array.getInt(63) != 63) wrong.incrementAndGet()
                                    if (array.borrow { it.getInt(7) } != 7) wrong.incrementAndGet()
                                    if (array.toIntArray().sum() != 2016) wrong.incrementAndGet()
                                }
                            } catch (e: IllegalStateException) {
                                if ("closed" !in e.message.orEmpty()) wrong.incrementAndGet()
                            }
                        }
                    }
                start.countDown()
                array.getInt(1) shouldBe 1
                array.close()
                readers.forEach { it.join() }
                wrong.get() shouldBe 0
            }
        }

        test("a lost owner is released and reported, on request with the stack of its creation") {
            val before = ArrowCounters.now().leaks()
            val buffers = ArrowCounters.now().hostBuffers()
            val reported = java.util.concurrent.LinkedBlockingQueue<Diagnostics.Leak>()
            val listener = Diagnostics.onLeak { reported.add(it) }
            Diagnostics.captureStacks(true)
            try {
                loseAnArray()
                collectUntil { ArrowCounters.now().leaks() > before }
                withClue("leaks found") { ArrowCounters.now().leaks() - before shouldBe 1 }
                reported.take().allocation()!!.stackTraceToString() shouldContain "loseAnArray"
                ArrowCounters.now().hostBuffers() shouldBe buffers
            } finally {
                Diagnostics.captureStacks(false)
                Diagnostics.onLeak(listener)
            }
        }

        test("an old owner is not reported while it is used, and reported when it is lost") {
            val before = ArrowCounters.now().leaks()
            val listener = Diagnostics.onLeak { }
            try {
                loseAnArray { array ->
                    repeat(COLLECTIONS) {
                        collect()
                        array.getInt(2) shouldBe 3
                    }
                    ArrowCounters.now().leaks() shouldBe before
                }
                collectUntil { ArrowCounters.now().leaks() > before }
                withClue("leaks found") { ArrowCounters.now().leaks() - before shouldBe 1 }
            } finally {
                Diagnostics.onLeak(listener)
            }
        }
    })

private const val COLLECTIONS = 5

/** A garbage collection that has surely ended: an object was found that nobody had. */
private fun collect() {
    val queue = ReferenceQueue<Any>()
    val lost = WeakReference(Any(), queue)
    while (queue.remove(1) !== lost) System.gc()
}

private fun collectUntil(reached: () -> Boolean) {
    val deadline = System.nanoTime() + 20_000_000_000
    while (!reached() && System.nanoTime() < deadline) collect()
}

private fun loseAnArray(use: (DeviceArray) -> Unit) = use(ints(1, 2, 3))

private fun loseAnArray() {
    ints(1, 2, 3).getInt(0) shouldBe 1
}
