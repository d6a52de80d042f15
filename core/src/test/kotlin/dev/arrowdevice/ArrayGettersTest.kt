package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread
import kotlin.random.Random

/** Around the ends of the first blocks that are read ahead, and of the largest. */
private val LENGTHS = listOf(1, 2, 8, 9, 10, 41, 42, 170, 683, 1706, 1707, 4000)

/** Some are null, the first of a block among them. */
private fun valueAt(
    row: Int,
    nulls: Boolean,
): Int? = if (nulls && (row % 7 == 2 || row in 40..60)) null else row * 3 - 5

class ArrayGettersTest :
    FunSpec({
        extension(MemoryBalance())

        fun shouldRead(
            array: ArrayView,
            expected: List<Int?>,
            rows: Iterable<Int>,
        ) {
            for (row in rows) {
                val value = expected[row]
                array.isNull(row.toLong()) shouldBe (value == null)
                val getters =
                    listOf<(Long) -> Number>(array::getInt, array::getLong)
                for (getter in getters) {
                    if (value == null) {
                        shouldThrow<IllegalStateException> { getter(row.toLong()) }.message shouldContain "null"
                    } else {
                        getter(row.toLong()).toLong() shouldBe value.toLong()
                    }
                }
            }
        }

        test(
            "a getter returns the same values in order, backwards, with gaps and at random, with nulls and in slices",
        ) {
            for (length in LENGTHS) {
                for (nulls in listOf(false, true)) {
                    val values = List(length + 3) { valueAt(it, nulls) }
                    values.toDeviceArray().use { whole ->
                        whole.slice(3, length.toLong()).use { slice ->
                            val expected = values.drop(3)
                            val order = Random(length)
                            shouldRead(slice, expected, 0 until length)
                            shouldRead(slice, expected, (0 until length).reversed())
                            for (step in listOf(2, 7, 8, 9)) shouldRead(slice, expected, 0 until length step step)
                            shouldRead(slice, expected, List(200) { order.nextInt(length) })
                            shouldRead(slice, expected, 0 until length)
                        }
                    }
                }
            }
        }

        test("each getter returns the values of its own type, alone and in turn with others") {
            val rows = 0 until 3000
            recordBatch {
                column<Int>("int") { addAll(rows) }
                column<Long>("long") { addAll(rows.map { it + (1L shl 40) }) }
                column<Float>("float") { addAll(rows.map { it / 2f }) }
                column<Double>("double") { addAll(rows.map { it / 3.0 }) }
                column<UInt>("uint") { addAll(rows.map { it.toUInt() + 3_000_000_000u }) }
                dictionary<Long>("dictionary") { addAll(rows.map { it % 7L }) }
            }.use { batch ->
                val (int, long, float, double) = List(4) { batch.column(it) }
                val uint = batch.column(4)
                val dictionary = batch.column(5)
                for (row in rows) {
                    val index = row.toLong()
                    int.getInt(index) shouldBe row
                    int.getLong(index) shouldBe row.toLong()
                    long.getLong(index) shouldBe row + (1L shl 40)
                    float.getFloat(index) shouldBe row / 2f
                    float.getDouble(index) shouldBe row / 2.0
                    double.getDouble(index) shouldBe row / 3.0
                    uint.getInt(index) shouldBe (row.toUInt() + 3_000_000_000u).toInt()
                    uint.getLong(index) shouldBe row + 3_000_000_000L
                    dictionary.getLong(index) shouldBe row % 7L
                    dictionary.isNull(index) shouldBe false
                }
            }
        }

        test("in-order access reads many values at once, and random access one") {
            deviceArray<Long> { addAll(0L until 10_000L) }.use { array ->
                // Writing to the memory shows which values the reader had copied.
                val memory = array.data.buffer(1)!!.memory()

                fun fresh(index: Long): Boolean {
                    memory.putLong(index * 8, -index)
                    return array.getLong(index) == -index
                }
                (0L until 5000L).count { fresh(it) } shouldBe 10 // 0, 1, 9, 41, 169, 681, and every 1,024th behind
                val order = Random(1)
                val view = array.share()
                view.use {
                    List(100) { order.nextLong(10_000) }
                        .distinct()
                        .zipWithNext()
                        .filter { (a, b) -> b !in a..a + 8 }
                        .forEach { (_, index) ->
                            memory.putLong(index * 8, index * 2)
                            view.getLong(index) shouldBe index * 2
                        }
                }
            }
        }

        test("a getter throws for a wrong index or type, also after in-order reads") {
            deviceArray<Long> { addAll(0L until 20L) }.use { array ->
                for (row in 0L until 20L) array.getLong(row)
                for (index in listOf(-1L, 20L, 21L, Long.MAX_VALUE, Long.MIN_VALUE)) {
                    shouldThrow<IndexOutOfBoundsException> { array.getLong(index) }
                    shouldThrow<IndexOutOfBoundsException> { array.isNull(index) }
                }
                for (row in 0L until 5L) {
                    shouldThrow<UnsupportedOperationException> { array.getDouble(row) }
                    array.getLong(row) shouldBe row
                }
            }
        }

        test("a value that can't be read throws when it is requested, not before, and later values can be read") {
            dictionaryOf(200, broken = 30).use { array ->
                for (row in 0L until 200L) {
                    if (row == 30L) {
                        repeat(2) { shouldThrow<IndexOutOfBoundsException> { array.getLong(row) } }
                    } else {
                        array.getLong(row) shouldBe row % 7
                    }
                }
            }
        }

        test("indexes out of bounds are refused after in-order reads too, next to a slice and far from it") {
            deviceArray<Long> { addAll(0L..99L) }.use { whole ->
                whole.slice(10, 50).use { slice ->
                    for (index in -20L until 0L) {
                        shouldThrow<IndexOutOfBoundsException> { slice.getLong(index) }
                        shouldThrow<IndexOutOfBoundsException> { slice.isNull(index) }
                    }
                    slice.getLong(0) shouldBe 10L
                }
            }
            deviceArray<Int> { for (i in 0 until 50) if (i % 7 == 0) addNull() else add(i) }.use { nullable ->
                for (index in 1L..5L) nullable.getInt(index) shouldBe index
                for (index in 0L until 50L) {
                    shouldThrow<IndexOutOfBoundsException> { nullable.getInt(Long.MIN_VALUE + index) }
                    shouldThrow<IndexOutOfBoundsException> { nullable.getInt(Long.MAX_VALUE - index) }
                }
            }
        }

        test("after the owner was closed or moved, values that were read ahead are not returned") {
            val ends =
                listOf<Pair<(DeviceArray) -> Unit, String>>(
                    { it: DeviceArray -> it.close() } to "closed",
                    { it: DeviceArray -> RecordBatch.of(schema { field<Long>("n") }, listOf(it)).close() } to "moved",
                )
            for ((end, state) in ends) {
                val array = deviceArray<Long> { addAll(0L until 100L) }
                for (row in 0L until 50L) array.getLong(row)
                end(array)
                for (row in 45L until 55L) {
                    shouldThrow<IllegalStateException> { array.getLong(row) }.message shouldContain "getLong"
                    shouldThrow<IllegalStateException> { array.isNull(row) }.message shouldContain state
                }
            }
        }

        test("threads that share an array read right values, or throw once it is closed") {
            repeat(100) { round ->
                val array = deviceArray<Long> { repeat(20_000) { add(it * 3L) } }
                val started = CountDownLatch(3)
                val wrong = ConcurrentLinkedQueue<String>()
                val readers =
                    List(3) { reader ->
                        thread {
                            val order = Random(round)
                            try {
                                for (i in 0 until 20_000) {
                                    if (i == 100) started.countDown()
                                    // Two in order, against each other, and one that jumps.
                                    val row = if (reader < 2) i.toLong() else order.nextLong(20_000)
                                    val value = if (array.isNull(row)) -1 else array.getLong(row)
                                    if (value != row * 3) wrong += "$row: $value"
                                }
                            } catch (e: IllegalStateException) {
                                if ("closed" !in e.message.orEmpty()) wrong += "$e"
                            } finally {
                                repeat(3) { started.countDown() }
                            }
                        }
                    }
                started.await()
                if (round % 2 == 0) array.close()
                readers.forEach { it.join() }
                array.close()
                wrong.toList() shouldBe emptyList()
            }
        }
    })

/** Values `row % 7`, but one, whose index leads out of the dictionary. */
private fun dictionaryOf(
    rows: Int,
    broken: Int,
): DeviceArray {
    val type = ArrowType.dictionary(ArrowType.INT32, ArrowType.INT64, false)
    return deviceArray<Long>(type) { repeat(rows) { add(it % 7L) } }.also {
        it.data
            .buffer(1)!!
            .memory()
            .putInt(broken * 4L, 1000)
    }
}
