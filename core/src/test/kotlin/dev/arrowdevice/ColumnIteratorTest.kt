package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.internal.columns.Decoder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** Around the first blocks of values that are read at once, and around the largest ones. */
private val LENGTHS = listOf(0, 1, 7, 8, 9, 39, 40, 41, 168, 169, 296, 297, 1700, 4000)

/** Fetches them one by one. */
private fun <T : Any> Column<T>.oneByOne(): List<T?> = List(length.toInt()) { get(it) }

private fun <T : Any> reading(read: (ArrayReader, Long) -> T): Decoder<T> =
    object : Decoder<T> {
        override fun read(
            reader: ArrayReader,
            index: Long,
        ): T = read(reader, index)
    }

class ColumnIteratorTest :
    FunSpec({
        extension(MemoryBalance())

        fun <T : Any> Column<T>.shouldIterateOver(expected: List<T?>) {
            val seen = ArrayList<T?>()
            for (value in this) seen += value
            seen shouldBe expected
            oneByOne() shouldBe expected
            toList() shouldBe expected
            val iterator = iterator()
            repeat(expected.size) { iterator.next() }
            iterator.hasNext() shouldBe false
            shouldThrow<NoSuchElementException> { iterator.next() }
        }

        test("every value is returned once and in order, nulls included, across chunks") {
            for (length in LENGTHS) {
                fun <T : Any> values(of: (Int) -> T) = List(length) { if (it % 5 == 3) null else of(it) }
                recordBatch {
                    column<Int>("int") { addAll(values { it }) }
                    column<Long>("long") { addAll(values { it.toLong() shl 33 }) }
                    column<Float>("float") { addAll(values { it / 2f }) }
                    column<Double>("double") { addAll(values { it / 3.0 }) }
                    column<String>("string") { addAll(values { "ä$it" }) }
                    column<Short>("short") { addAll(values { it.toShort() }) }
                }.use { batch ->
                    batch.values<Int>("int").shouldIterateOver(values { it })
                    batch.values<Long>("int").shouldIterateOver(values { it.toLong() })
                    batch.values<Long>("long").shouldIterateOver(values { it.toLong() shl 33 })
                    batch.values<Float>("float").shouldIterateOver(values { it / 2f })
                    batch.values<Double>("double").shouldIterateOver(values { it / 3.0 })
                    batch.values<String>("string").shouldIterateOver(values { "ä$it" })
                    batch.values<Int>("short").shouldIterateOver(values { it })
                }
            }
        }

        test("a slice returns its own values and nulls") {
            val numbers = List(3000) { if (it < 1500 && it % 3 == 0) null else it.toLong() }
            recordBatch {
                column<Long>("long") { addAll(numbers) }
                column<String>("string") { addAll(numbers.map { it?.toString() }) }
            }.use { batch ->
                batch.slice(5, 2500).use { slice ->
                    slice.values<Long>("long").shouldIterateOver(numbers.subList(5, 2505))
                    slice.values<String>("string").shouldIterateOver(numbers.subList(5, 2505).map { it?.toString() })
                }
            }
        }

        test("after the array was closed no value is returned, not even one that was read ahead") {
            val arrays: List<DeviceArray> =
                listOf(deviceArrayOf(1L, 2L, 3L, 4L), deviceArray<String> { addAll(listOf("a", "b", "c", "d")) })
            for (array in arrays) {
                val iterator = array.values<Any>().iterator()
                val number = if (array === arrays[0]) array.values<Long>().iterator() else iterator
                iterator.next()
                number.next()
                array.close()
                shouldThrow<IllegalStateException> { iterator.next() }.message shouldContain "closed"
                shouldThrow<IllegalStateException> { number.next() }.message shouldContain "closed"
            }
        }

        test("a value that can't be read throws when it is requested, each time, and not when it is read ahead") {
            val lists = List(100) { if (it == 30 || it == 31) listOf(1, null) else listOf(it) }
            deviceArray<List<Int?>> { addAll(lists) }.use { array ->
                val iterator = array.values<List<Int>>().iterator()
                List(30) { iterator.next() } shouldBe lists.take(30)
                repeat(2) {
                    iterator.hasNext() shouldBe true
                    shouldThrow<IllegalStateException> { iterator.next() }.message shouldContain "null"
                }
            }
        }

        test("a list with offsets outside of its elements throws before anything is allocated") {
            for (offsets in listOf(-1 to 3, 2 to 1, 2 to 7, 0 to Int.MAX_VALUE)) {
                deviceArray<List<Int>> { addAll(listOf(listOf(1, 2), listOf(3, 4), listOf(5, 6))) }.use { array ->
                    val memory = array.data.buffer(1)!!.memory()
                    memory.putInt(4, offsets.first)
                    memory.putInt(8, offsets.second)
                    val column = array.values<List<Int>>()
                    shouldThrow<IllegalStateException> { column[1] }.message shouldContain "the list at index 1 has"
                    shouldThrow<IllegalStateException> { column.toList() }
                }
            }
        }

        test("few values are read ahead at first, and large values never") {
            for ((text, most) in listOf("short" to 8, "long".repeat(10_000) to 1)) {
                deviceArray<String> { repeat(500) { add(text) } }.use { array ->
                    var reads = 0
                    val counting = reading { reader, index -> reader.getString(index).also { reads++ } }
                    val iterator = counting.iterator(array)
                    iterator.next() shouldBe text
                    reads shouldBe most
                    while (iterator.hasNext()) iterator.next()
                    reads shouldBe 500
                }
            }
        }

        test("the size of a value is the size of its content") {
            deviceArray<List<String>> { repeat(20) { add(listOf("long".repeat(10_000))) } }.use { array ->
                var reads = 0
                val iterator = reading { reader, index -> reader.getObject(index)!!.also { reads++ } }.iterator(array)
                iterator.next()
                reads shouldBe 1
            }
        }

        test("an error of a later value is thrown when that value is requested") {
            deviceArrayOf(1, 2, 3, 4).use { array ->
                val failing =
                    reading { reader, index ->
                        if (index == 2L) throw OutOfMemoryError("a list too long") else reader.getInt(index)
                    }
                val iterator = failing.iterator(array)
                List(2) { iterator.next() } shouldBe listOf(1, 2)
                shouldThrow<OutOfMemoryError> { iterator.next() }
            }
        }

        test("if another thread closes the array, the iterator returns right values or throws") {
            repeat(200) { round ->
                val array = deviceArray<Long> { repeat(20_000) { add(it.toLong()) } }
                val started = CountDownLatch(1)
                val closer =
                    thread {
                        started.await()
                        array.close()
                    }
                var next = 0L
                try {
                    // By turns as numbers and as objects, which are read in two ways.
                    val column = if (round % 2 == 0) array.values<Long>() else array.values<Any>()
                    for (value in column) {
                        started.countDown()
                        value shouldBe next++
                    }
                } catch (e: IllegalStateException) {
                    e.message shouldContain "closed"
                    next shouldBeLessThan 20_000L
                }
                closer.join()
            }
        }
    })
