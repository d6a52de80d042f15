package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteOrder

/**
 * @property format of the indices
 * @property limit of values in the dictionary. That of an unsigned type is above the type's sign bit, so an index that
 *   is read as signed is refused, or reads another value.
 */
private enum class IndexType(
    val format: String,
    val byteSize: Int,
    val limit: Long,
) {
    INT8("c", 1, 100),
    INT16("s", 2, 30_000),
    INT32("i", 4, 70_000),
    INT64("l", 8, 70_000),
    UINT8("C", 1, 200),
    UINT16("S", 2, 40_000),
    UINT32("I", 4, 70_000),
    UINT64("L", 8, 70_000),
    ;

    val signBit: Long = 1L shl (8 * byteSize - 1)

    fun bytes(index: Long): ByteArray =
        ByteArray(byteSize) { i ->
            val place = if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) i else byteSize - 1 - i
            (index shr 8 * place).toByte()
        }

    /** As a message has it. */
    fun text(index: Long): String =
        when (this) {
            INT8 -> index.toByte().toString()
            INT16 -> index.toShort().toString()
            INT32 -> index.toInt().toString()
            INT64 -> index.toString()
            UINT8 -> index.toUByte().toString()
            UINT16 -> index.toUShort().toString()
            UINT32 -> index.toUInt().toString()
            UINT64 -> index.toULong().toString()
        }
}

/** Indices at the ends of the dictionary, in all eight types, imported from C. */
class DictionaryIndexTest :
    FunSpec({
        extension(PeerBalance)

        /** The peer's array of three rows with this index in row 1, into a dictionary in which value n is n * 7. */
        fun <T> imported(
            type: IndexType,
            index: Long,
            validation: Validation,
            read: (DeviceArray) -> T,
        ): T =
            withStructs {
                val schema = produceSchema(PeerField.of("x", type.format).withDictionary(PeerField.of("", "i")))
                val array = produceArray(schema, PeerOptions.rows(3))
                val at = array.buffer(1) + type.byteSize
                type.bytes(index).forEachIndexed { i, byte -> NativeMemory.putByte(at + i, byte) }
                val values = zeroed(4 * type.limit.toInt())
                for (i in 0 until type.limit) NativeMemory.putInt(values + 4 * i, (i * 7).toInt())
                array.dictionary().length(type.limit)
                array.dictionary().nullCount(0)
                array.dictionary().buffer(0, 0)
                array.dictionary().buffer(1, values)
                ArrowImport
                    .importArray(CStruct.arrayAt(array.address), CStruct.schemaAt(schema.address), validation)
                    .use(read)
            }

        fun refused(
            type: IndexType,
            index: Long,
        ) = withClue(type.text(index)) {
            // The levels below read no index.
            imported(type, index, Validation.STRUCTURE) { it.length } shouldBe 3
            shouldThrow<InvalidArrayException> { imported(type, index, Validation.FULL) {} }.message shouldContain
                "the dictionary index at index 1 is ${type.text(index)}, the dictionary has ${type.limit} values"
            imported(type, index, Validation.NONE) { shouldThrow<IndexOutOfBoundsException> { it.getInt(1) } }
        }

        context("the last value of the dictionary is read, and nothing behind it:") {
            withData(IndexType.entries) { type ->
                imported(type, type.limit - 1, Validation.FULL) { it.getInt(1) } shouldBe (type.limit - 1) * 7
                imported(type, 0, Validation.FULL) { it.getInt(1) } shouldBe 0
                refused(type, type.limit)
            }
        }

        context("an index with the sign bit is negative if the type is signed, and large if it is not:") {
            withData(IndexType.entries) { type ->
                if (type.signBit in 0 until type.limit) {
                    imported(type, type.signBit, Validation.FULL) { it.getInt(1) } shouldBe type.signBit * 7
                } else {
                    refused(type, type.signBit)
                }
                refused(type, -1)
            }
        }
    })
