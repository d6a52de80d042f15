package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.OutOfDeviceMemoryException
import dev.arrowdevice.spi.CpuRuntime
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.AbstractMap.SimpleEntry
import java.util.function.UnaryOperator

private const val ALL = 1L shl 24
private const val ROWS = 700

private val int = Field.nullable("i", ArrowType.INT64)
private val text = Field.nullable("t", ArrowType.UTF8)
private val pair = ArrowType.struct(int, text)
private val choice = listOf(int, text, Field.nullable("l", ArrowType.list(ArrowType.INT8)))

/** A value of a row, and that which a reader sees. */
private class Sample(
    val name: String,
    val type: ArrowType,
    val value: (Int) -> Any?,
)

private fun word(i: Int) = "word $i".repeat(1 + i % 4)

private fun pairOf(i: Int) = mapOf("i" to i.toLong(), "t" to if (i % 5 == 0) null else word(i))

private fun chosen(i: Int): Any =
    when (i % 3) {
        0 -> i.toLong()
        1 -> word(i)
        else -> SimpleEntry("l", listOf(i.toByte(), 1))
    }

private val samples =
    listOf(
        Sample("struct", pair) { if (it % 3 == 2) null else pairOf(it) },
        Sample("list", ArrowType.list(ArrowType.UTF8)) { if (it % 3 == 2) null else List(it % 4) { n -> word(n) } },
        Sample("list view", ArrowType.listView(ArrowType.INT32)) {
            if (it % 3 ==
                2
            ) {
                null
            } else {
                List(it % 4) { n -> n + it }
            }
        },
        Sample("fixed-size list", ArrowType.fixedSizeList(ArrowType.UTF8, 3)) {
            if (it % 3 == 2) null else List(3) { n -> word(n + it) }
        },
        Sample("map", ArrowType.map(ArrowType.UTF8, ArrowType.INT32)) {
            if (it % 3 == 2) null else (0..it % 3).associate { n -> word(n) to n + it }
        },
        Sample("sparse union", ArrowType.sparseUnion(listOf(0, 1, 2), choice)) {
            if (it % 7 ==
                0
            ) {
                null
            } else {
                chosen(it)
            }
        },
        Sample("dense union", ArrowType.denseUnion(listOf(0, 1, 2), choice)) { if (it % 7 == 0) null else chosen(it) },
        Sample("runs", ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.UTF8)) {
            if (it % 7 == 6) null else word(it / 2)
        },
        Sample("runs of structs", ArrowType.runEndEncoded(ArrowType.INT32, pair)) {
            if (it % 7 ==
                6
            ) {
                null
            } else {
                pairOf(it / 2)
            }
        },
        Sample("dictionary", ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8, false)) {
            if (it % 7 == 6) null else word(it * 7 % 600)
        },
        Sample("dictionary of structs", ArrowType.dictionary(ArrowType.INT32, pair, false)) {
            if (it % 7 == 6) null else pairOf(it * 7 % 600)
        },
        Sample(
            "nested",
            ArrowType.struct(
                Field.nullable("f", ArrowType.fixedSizeList(pair, 2)),
                Field.nullable("u", ArrowType.sparseUnion(listOf(0, 1, 2), choice)),
                Field.nullable("r", ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.INT64)),
            ),
        ) {
            when (it % 5) {
                4 -> null
                3 -> mapOf("f" to null, "u" to null, "r" to null)
                else -> mapOf("f" to listOf(pairOf(it), null), "u" to chosen(it), "r" to it / 8L)
            }
        },
    )

/** Appends rows until one fails for lack of memory; that row's index, or -1. */
private fun ArrayBuilder.appendUntilFailure(rows: List<Any?>): Int {
    rows.forEachIndexed { i, row ->
        try {
            append(row)
        } catch (_: OutOfDeviceMemoryException) {
            return i
        }
    }
    return -1
}

class FailedAppendTest :
    FunSpec({
        extension(MemoryBalance())

        /** For each limit: what a builder holds that got memory after a failure; null where it refuses. True if one failed. */
        fun withFailure(
            sample: Sample,
            rows: List<Any?>,
            whole: List<Any?>,
            limit: Long,
            retry: Boolean,
        ): Boolean {
            val runtime = CpuRuntime.withLimit(ALL)
            val hog = runtime.allocate(ALL - limit)
            var held = true
            try {
                ArrayBuilder.of(Field.nullable("c", sample.type), runtime, UnaryOperator.identity()).use { builder ->
                    val failed = builder.appendUntilFailure(rows)
                    hog.owner.release()
                    held = false
                    if (failed < 0) return false
                    val expected = if (retry) whole else whole.take(failed)
                    val array =
                        try {
                            if (retry) builder.appendAll(rows.drop(failed))
                            builder.finish()
                        } catch (_: IllegalArgumentException) {
                            shouldThrow<IllegalArgumentException> { builder.finish() }
                            null
                        } catch (e: IllegalStateException) {
                            e.message shouldContain "an append failed half-way: "
                            shouldThrow<IllegalStateException> { builder.append(rows[0]) }
                            shouldThrow<IllegalStateException> { builder.finish() }
                            null
                        }
                    array?.use {
                        withClue("${sample.name}, limit $limit, row $failed, retry $retry") {
                            it.objects() shouldBe
                                expected
                        }
                    }
                }
            } finally {
                if (held) hog.owner.release()
                runtime.memoryInfo!!.free() shouldBe ALL
            }
            return true
        }

        samples.forEach { sample ->
            test("after an append that failed for lack of memory, a ${sample.name} has the right values or refuses") {
                val rows = List(ROWS, sample.value)
                val whole = arrayOf(sample.type, *rows.toTypedArray()).use { it.objects() }
                var limit = 0L
                while (withFailure(sample, rows, whole, limit, retry = true)) {
                    withFailure(sample, rows, whole, limit, retry = false) shouldBe true
                    limit += if (limit < 4096) 64 else 192
                }
            }
        }
    })
