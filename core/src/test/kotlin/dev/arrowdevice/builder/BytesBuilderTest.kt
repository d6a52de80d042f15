package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Values are staged in blocks: here they end before, at and behind the end of one, and take more than one. */
class BytesBuilderTest :
    FunSpec({
        extension(MemoryBalance())

        val block = OffsetBytesBuilder.BLOCK
        val staged = OffsetBytesBuilder.STAGED
        val filling = List(block / staged) { staged }
        val aroundBlocks =
            listOf(
                5,
                0,
                block - 5,
                1,
                block - 1,
                block,
                block + 1,
                3,
                block / 3,
                block / 3 + 1,
                block * 3,
                7,
            )
        val sizes = filling + 1 + filling + 0 + (staged + 1) + (filling - staged) + (staged - 1) + 1 + 2 + aroundBlocks

        fun text(
            size: Int,
            letters: String,
        ) = letters.repeat(size / letters.length + 1).take(size)

        listOf(ArrowType.UTF8, ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW).forEach { type ->
            listOf("abcdefg", "é", "語x").forEach { letters ->
                test("$type of $letters in all sizes") {
                    val values = (sizes + sizes.reversed()).flatMap { listOf(text(it, letters), null) }
                    arrayOf(type, *values.toTypedArray()).use { it.objects() shouldBe values }
                }
            }

            test("$type that fills a block to its last byte") {
                // The room that a text is given is what it takes if each character takes three bytes.
                val values = listOf("xx", "語".repeat((block - 2) / 3), "y")
                arrayOf(type, *values.toTypedArray()).use { it.objects() shouldBe values }
            }

            test("$type of a StringBuilder is that of its string") {
                arrayOf(type, StringBuilder("Grüße"), "Ada").use { it.objects() shouldBe listOf("Grüße", "Ada") }
            }

            test("$type that can't be encoded leaves nothing") {
                build(type) {
                    append("a".repeat(block / 4))
                    messageOf { append("abc\uD800d") } shouldContain "unpaired surrogate at index 3"
                    append("b")
                }.use { it.objects() shouldBe listOf("a".repeat(block / 4), "b") }
            }

            test("$type begins anew after finish") {
                ArrayBuilder.of(type).use { builder ->
                    builder.append("first")
                    builder.finish().use { it.objects() shouldBe listOf("first") }
                    builder.append("second")
                    builder.finish().use { it.objects() shouldBe listOf("second") }
                }
            }
        }

        listOf(ArrowType.BINARY, ArrowType.LARGE_BINARY, ArrowType.BINARY_VIEW).forEach { type ->
            test("$type in all sizes") {
                val values = (sizes + sizes.reversed()).map { size -> ByteArray(size) { it.toByte() } }
                arrayOf(type, *values.toTypedArray()).use { it.objects() shouldBe values.map(::comparable) }
            }
        }
    })
