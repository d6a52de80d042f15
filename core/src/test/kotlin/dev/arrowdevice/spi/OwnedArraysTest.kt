package dev.arrowdevice.spi

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.builder.objects
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.ByteOrder

private class Memory {
    var releases = 0
    private val buffers = mutableListOf<DeviceBuffer>()

    fun bytes(vararg bytes: Int): DeviceBuffer = direct(bytes.size) { bytes.forEach { put(it.toByte()) } }

    fun ints(vararg ints: Int): DeviceBuffer = direct(4 * ints.size) { ints.forEach { putInt(it) } }

    private fun direct(
        size: Int,
        fill: ByteBuffer.() -> Unit,
    ): DeviceBuffer {
        val buffer = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder()).apply(fill)
        buffer.rewind()
        return DeviceBuffer.ofByteBuffer(buffer) { releases++ }.also { buffers += it }
    }

    fun array(
        data: ArrayData,
        validation: Validation,
    ): DeviceArray {
        val owner = ReferenceCounted.all(*buffers.map { it.owner }.toTypedArray())
        try {
            return OwnedArrays.of(data, owner, null, validation)
        } catch (e: InvalidArrayException) {
            owner.release() // "On failure it stays the caller's".
            throw e
        }
    }
}

private fun data(
    type: ArrowType,
    length: Long,
    vararg buffers: DeviceBuffer?,
    children: Array<ArrayData> = arrayOf(),
    offset: Long = 0,
    nulls: Long = 0,
) = ArrayData(type, Device.CPU, length, offset, nulls, arrayOf(*buffers), children, null)

private class Spoiled(
    val name: String,
    val level: Validation,
    val says: String,
    val make: Memory.() -> ArrayData,
)

/** The sum of length and offset may not be above this. */
private const val GREATEST_END = Long.MAX_VALUE / 64

class OwnedArraysTest :
    FunSpec({
        test("an array of direct buffers is read, and its last owner releases each buffer once") {
            val memory = Memory()
            val texts = data(ArrowType.UTF8, 2, null, memory.ints(0, 1, 3), memory.bytes(97, 98, 99))
            val array = memory.array(texts, Validation.FULL)
            array.use {
                it.objects() shouldBe listOf("a", "bc")
                it.slice(1, 1).use { slice -> slice.objects() shouldBe listOf("bc") }
                memory.releases shouldBe 0
            }
            memory.releases shouldBe 2
        }

        test("if one release throws, the other buffers are released and close returns") {
            var releases = 0
            val texts =
                DeviceBuffer.ofByteBuffer(ByteBuffer.allocateDirect(4)) {
                    releases++
                    error("the release fails")
                }
            val more = DeviceBuffer.ofByteBuffer(ByteBuffer.allocateDirect(4)) { releases++ }
            OwnedArrays.of(data(ArrowType.INT32, 1, null, texts), ReferenceCounted.all(texts.owner, more.owner)).close()
            releases shouldBe 2
        }

        test("ending a move again changes nothing") {
            val memory = Memory()
            val array = memory.array(data(ArrowType.INT32, 1, null, memory.ints(7)), Validation.FULL)
            val move = Move.begin(array, Verb.WRAP)
            move.close()
            array.getInt(0) shouldBe 7
            array.close()
            move.close()
            array.isLive shouldBe false
            memory.releases shouldBe 1
        }

        test("a heap buffer is refused, because it has no address") {
            shouldThrow<IllegalArgumentException> { DeviceBuffer.ofByteBuffer(ByteBuffer.allocate(8)) {} }
                .message shouldContain "heap"
        }

        test("the bytes of a buffer are those between its position and its limit") {
            val buffer = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder())
            buffer.putInt(4, 7).position(4).limit(8)
            val memory = DeviceBuffer.ofByteBuffer(buffer) {}
            memory.byteSize shouldBe 4
            memory.memory().getInt(0) shouldBe 7
            shouldThrow<IndexOutOfBoundsException> { memory.memory().getInt(4) }
            memory.owner.release()
        }

        test("a batch is refused of anything but a struct of the schema's fields, and the caller keeps the memory") {
            val memory = Memory()
            val schema = Schema.of(Field.nullable("a", ArrowType.INT32))
            val numbers = data(ArrowType.INT32, 1, null, memory.ints(1))
            val other = ArrowType.struct(Field.nullable("b", ArrowType.INT32))
            for (array in listOf(numbers, data(other, 1, null, children = arrayOf(numbers)))) {
                shouldThrow<IllegalArgumentException> {
                    OwnedArrays.batchOf(schema, array, ReferenceCounted.nothing(), null)
                }
            }
            memory.releases shouldBe 0
            memory.array(numbers, Validation.FULL).close()
        }

        context(
            "a wrong structure is refused from the lowest level on that can see it, and the caller keeps the memory:",
        ) {
            listOf(
                Spoiled("too few values", Validation.STRUCTURE, "the data buffer has 8 bytes, 12 are needed") {
                    data(ArrowType.INT32, 3, null, ints(1, 2))
                },
                Spoiled("no values", Validation.STRUCTURE, "the data buffer has 0 bytes, 4 are needed") {
                    data(ArrowType.INT32, 1, null, null)
                },
                Spoiled("an offset that needs more", Validation.STRUCTURE, "12 are needed") {
                    data(ArrowType.INT32, 2, null, ints(1, 2), offset = 1)
                },
                Spoiled("a short bitmap", Validation.STRUCTURE, "the validity buffer has 1 bytes, 2 are needed") {
                    data(ArrowType.INT8, 9, bytes(255), bytes(1, 2, 3, 4, 5, 6, 7, 8, 9), nulls = 1)
                },
                Spoiled("a missing bitmap", Validation.STRUCTURE, "the validity bitmap is absent") {
                    data(ArrowType.INT8, 1, null, bytes(1), nulls = 1)
                },
                Spoiled("a missing buffer", Validation.STRUCTURE, "1 buffers") {
                    data(ArrowType.INT32, 1, ints(1))
                },
                Spoiled(
                    "bytes that the last offset passes",
                    Validation.STRUCTURE,
                    "the last offset is 4, there are 3",
                ) {
                    data(ArrowType.UTF8, 1, null, ints(0, 4), bytes(97, 98, 99))
                },
                Spoiled("a short child", Validation.STRUCTURE, "a: the data buffer has 4 bytes") {
                    val child = data(ArrowType.INT32, 2, null, ints(1))
                    data(ArrowType.struct(Field.nullable("a", ArrowType.INT32)), 2, null, children = arrayOf(child))
                },
                Spoiled("a second short child", Validation.STRUCTURE, "b: the data buffer has 4 bytes") {
                    val fields = listOf("a", "b").map { Field.nullable(it, ArrowType.INT32) }
                    val children =
                        arrayOf(data(ArrowType.INT32, 1, null, ints(1)), data(ArrowType.INT32, 2, null, ints(1)))
                    data(ArrowType.struct(*fields.toTypedArray()), 1, null, children = children)
                },
                Spoiled("a short dictionary", Validation.STRUCTURE, "dictionary: the data buffer has 4 bytes") {
                    ArrayData(
                        ArrowType.dictionary(ArrowType.INT8, ArrowType.INT32, false),
                        Device.CPU,
                        1,
                        0,
                        0,
                        arrayOf(null, bytes(0)),
                        arrayOf(),
                        data(ArrowType.INT32, 2, null, ints(1)),
                    )
                },
                Spoiled("views without a buffer", Validation.STRUCTURE, "1 buffers, utf8_view needs at least 2") {
                    data(ArrowType.UTF8_VIEW, 1, null)
                },
                Spoiled("values of 100 bytes that overflow", Validation.STRUCTURE, "values of 100 bytes overflow") {
                    data(ArrowType.fixedSizeBinary(100), GREATEST_END, null, bytes(0))
                },
                Spoiled("an end that is one too large", Validation.STRUCTURE, "overflow") {
                    data(ArrowType.INT8, GREATEST_END, null, bytes(0), offset = 1)
                },
                Spoiled("offsets that fall", Validation.FULL, "offset") {
                    data(ArrowType.UTF8, 2, null, ints(0, 3, 2), bytes(97, 98, 99))
                },
            ).forEach { spoiled ->
                test(spoiled.name) {
                    for (level in Validation.entries) {
                        val memory = Memory()
                        val made = spoiled.make(memory)
                        if (level < spoiled.level) {
                            memory.array(made, level).close()
                        } else {
                            shouldThrow<InvalidArrayException> { memory.array(made, level) }.message shouldContain
                                spoiled.says
                        }
                    }
                }
            }
        }
    })
