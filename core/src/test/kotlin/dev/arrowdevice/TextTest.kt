package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.builder.build
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.HostMemory
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** An array whose one buffer is at an address that nobody may read. */
private fun onGpu(): DeviceArray {
    val gpu = Device(DeviceType.CUDA, 0)
    val owner = ReferenceCounted.nothing()
    val values = DeviceBuffer.ofAddress(gpu, 0xDEAD_0000, 12, owner)
    return OwnedArrays.of(ArrayData(ArrowType.INT32, gpu, 3, 0, 0, arrayOf(null, values), arrayOf(), null), owner)
}

private const val DEPTH = 12

/** Nested list views of 21 elements each, all of the same memory: few bytes, and 21 to the power of the depth values. */
private fun listViewsOfTheSame(type: ArrowType): DeviceArray {
    val buffers = mutableListOf<DeviceBuffer>()

    fun buffer(fill: (HostMemory) -> Unit): DeviceBuffer =
        CpuRuntime.INSTANCE.allocate(4L * ELEMENTS).also {
            fill(it.memory())
            buffers += it
        }

    fun data(type: ArrowType): ArrayData {
        if (type.id() == TypeId.UTF8) {
            val bytes = CpuRuntime.INSTANCE.allocate(LONG_TEXT.toLong()).also { buffers += it }
            bytes.memory().fill(0, LONG_TEXT.toLong(), 'a'.code.toByte())
            val offsets = CpuRuntime.INSTANCE.allocate(4L * (ELEMENTS + 1)).also { buffers += it }
            for (i in 0..ELEMENTS) offsets.memory().putInt(4L * i, if (i == 0) 0 else LONG_TEXT)
            return ArrayData(type, Device.CPU, ELEMENTS.toLong(), 0, 0, arrayOf(null, offsets, bytes), arrayOf(), null)
        }
        if (type.id() == TypeId.INT8) {
            val values = buffer { it.fill(0, ELEMENTS.toLong(), 1) }
            return ArrayData(type, Device.CPU, ELEMENTS.toLong(), 0, 0, arrayOf(null, values), arrayOf(), null)
        }
        val child = data(type.children()[0].type())
        val offsets = buffer { for (i in 0 until ELEMENTS) it.putInt(4L * i, 0) }
        val sizes = buffer { for (i in 0 until ELEMENTS) it.putInt(4L * i, ELEMENTS) }
        return ArrayData(
            type,
            Device.CPU,
            ELEMENTS.toLong(),
            0,
            0,
            arrayOf(null, offsets, sizes),
            arrayOf(child),
            null,
        )
    }
    val root = data(type)
    return OwnedArrays.of(root, ReferenceCounted.all(*buffers.map { it.owner }.toTypedArray()))
}

private const val ELEMENTS = 21

private const val LONG_TEXT = 64 shl 20

class TextTest :
    FunSpec({
        extension(MemoryBalance())

        test("an array shows type, length and its first values") {
            arrayOf(ArrowType.INT32, 36, null, 41).use { it.toString() shouldBe "int32[3] [36, null, 41]" }
            arrayOf(ArrowType.UTF8, *Array(12) { "v$it" }).use {
                it.toString() shouldBe "utf8[12] [v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, …]"
            }
            arrayOf(ArrowType.BINARY, byteArrayOf(0, -1)).use { it.toString() shouldBe "binary[1] [0x00ff]" }
            arrayOf(ArrowType.list(ArrowType.INT8), listOf(1, null), null).use {
                it.toString() shouldBe "list<item: int8>[2] [[1, null], null]"
            }
        }

        test("nested lists are printed up to a total length, even if their views repeat") {
            val type = (1..DEPTH).fold<Int, ArrowType>(ArrowType.INT8) { inner, _ -> ArrowType.listView(inner) }
            listViewsOfTheSame(type).use { array ->
                array.toString().length shouldBeLessThan 10_000
                array.toString() shouldContain "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …]"
                RecordBatch.of(Schema.of(Field.nullable("a", type)), listOf(array.share())).use {
                    it.toTable(20, 10_000).length shouldBeLessThan 1_000_000
                }
            }
        }

        test("long strings and bytes are printed up to a total length, even if views repeat them") {
            val type = ArrowType.listView(ArrowType.listView(ArrowType.UTF8))
            listViewsOfTheSame(type).use { array ->
                array.toString().length shouldBeLessThan 200_000
                array.toString() shouldContain "aaa…"
                RecordBatch.of(Schema.of(Field.nullable("a", type)), listOf(array.share())).use {
                    it.toTable(20, 100).length shouldBeLessThan 10_000
                }
            }
            arrayOf(ArrowType.BINARY, ByteArray(21)).use {
                it.toString() shouldBe
                    "binary[1] [0x${"00".repeat(20)}… (21 bytes)]"
            }
            arrayOf(ArrowType.UTF8, "ä".repeat(60_000), "b").use {
                it.toString() shouldBe "utf8[2] [${"ä".repeat(50_000)}…, …]"
            }
        }

        test("a type of many or long names is not printed in front of values") {
            val name = "n".repeat(1_000)
            val type = ArrowType.struct(*Array(1_000) { Field.nullable(name + it, ArrowType.INT8) })
            build(type) { appendNull() }.use {
                it.toString() shouldBe "struct<…>[1] [null]"
                shouldThrow<UnsupportedOperationException> { it.getInt(0) }.message.orEmpty().length shouldBeLessThan
                    300
                shouldThrow<IllegalArgumentException> { it.child("x") }.message.orEmpty().length shouldBeLessThan 3_000
            }
        }

        test("a closed array prints its state instead of failing") {
            val array = arrayOf(ArrowType.INT32, 1).also { it.close() }
            array.toString() shouldBe "int32[1] <released>"
        }

        test("an array that the host can't read is printed without its values") {
            onGpu().use { array ->
                array.toString() shouldBe "int32[3] <on CUDA:0; copyTo(Device.CPU) to read>"
                val failure = shouldThrow<UnreadableDeviceException> { array.getInt(0) }
                failure.message shouldContain "CUDA:0"
                failure.message shouldContain "copyTo(Device.CPU)"
                shouldThrow<UnreadableDeviceException> { array.borrow { 1 } }
                shouldThrow<IllegalStateException> { array.copyTo(Device.CPU) }.message shouldContain
                    "no runtime is registered for CUDA:0"
            }
            RecordBatch.of(Schema.of(Field.nullable("a", ArrowType.INT32)), listOf(onGpu())).use {
                it.toString() shouldContain "(3 rows, on CUDA:0; copyTo(Device.CPU) to read)"
            }
        }

        test(
            "a batch prints as a table: names, types, numbers to the right, long values cut, control characters as blanks",
        ) {
            val schema = Schema.of(Field.nullable("n", ArrowType.INT64), Field.nullable("text", ArrowType.UTF8))
            val columns =
                listOf(arrayOf(ArrowType.INT64, 1L, 12345L, null), arrayOf(ArrowType.UTF8, "a\nb", "0123456789", null))
            RecordBatch.of(schema, columns).use {
                it.toTable(2, 6) shouldBe
                    """
                    |    n | text
                    |int64 | utf8
                    |------+-------
                    |    1 | a b
                    |12345 | 01234…
                    |(3 rows, 2 shown)
                    """.trimMargin()
            }
        }

        test("a batch without columns keeps its rows") {
            RecordBatch.of(Schema.of(), listOf(), 7).use { it.toString() shouldBe "(7 rows)" }
        }
    })
