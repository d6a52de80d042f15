package dev.arrowdevice.peers.operations

import dev.arrowdevice.ArrayView
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TypeId
import dev.arrowdevice.deviceArray
import dev.arrowdevice.peers.PeerBalance
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.property.checkAll
import java.math.BigDecimal
import java.math.BigInteger
import kotlin.random.Random

/** Arrays of every type in another encoding, or in a wider type, have the same values. */
class EncodingPropertyTest :
    FunSpec({
        extension(PeerBalance)

        test("dictionaryEncode has each different value once, and decode has them all again") {
            checkAll(iterations("operations", 1_500), BatchShape.arb()) { shape ->
                shape.forEachColumn { _, column, values ->
                    column.dictionaryEncode(INDEX_TYPES[shape.rowCount % 8]).use { encoded ->
                        encoded.shouldHave(values, "encoded")
                        val type = encoded.type.storageType() as DictionaryType
                        if (column.type.storageType().id() != TypeId.DICTIONARY) {
                            encoded.dictionary.dictionaryEncode().use { again ->
                                again.dictionary.length shouldBe encoded.dictionary.length
                            }
                        }
                        decoded(encoded)?.use { decoded ->
                            decoded.shouldHave(values, "decoded")
                            if (!isEncoded(type.valueType())) decoded.type shouldBe type.valueType()
                        }
                    }
                }
            }
        }

        test("decode leaves no encoding") {
            checkAll(iterations("operations", 1_500), BatchShape.arb()) { shape ->
                shape.forEachColumn { _, column, values ->
                    decoded(column)?.use {
                        it.shouldHave(values, "decoded")
                        isEncoded(it.type) shouldBe false
                    }
                }
            }
        }

        test("concat of arrays with other dictionaries, buffers and runs has the values of both") {
            checkAll(iterations("operations", 1_500), BatchShape.arb()) { shape ->
                shape.forEachColumn { field, first, values ->
                    another(field, shape.rowCount + 5) { second, more ->
                        try {
                            DeviceArray.concat(listOf(first, second)).use { it.shouldHave(values + more, "concat") }
                        } catch (e: IllegalArgumentException) {
                            if ("ordered dictionaries" !in e.message.orEmpty()) throw e
                        }
                    }
                }
            }
        }

        test("an array of nulls is cast to every type whose values can be null") {
            deviceArray<Any>(ArrowType.NULL) { repeat(5) { addNull() } }.use { nulls ->
                checkAll(iterations("operations", 1_500), BatchShape.arb()) { shape ->
                    shape.schema.fields().filter { canBeNull(it.type()) }.forEach { field ->
                        nulls.cast(field.type()).use { it.shouldHave(List(5) { null }, "${field.type()}") }
                    }
                }
            }
        }

        test("a cast to a wider type changes no value") {
            checkAll(iterations("operations", 3_000), BatchShape.arb()) { shape ->
                shape.forEachColumn { field, column, _ ->
                    val wider = wider(field.type(), Random(shape.rowCount + 4))
                    column.cast(wider).use { cast ->
                        cast.type shouldBe wider
                        cast.shouldHave(valuesOf(cast), "cast to $wider")
                        neutralOf(cast) shouldBe neutralOf(column)
                    }
                }
            }
        }
    })

/** The decoded array, or null if it is refused because there are nulls that the values of an encoding can't have. */
private fun decoded(array: ArrayView): DeviceArray? =
    try {
        array.decode()
    } catch (e: IllegalArgumentException) {
        val values = generateSequence(valueType(array.type), ::valueType)
        if ("there are nulls" !in e.message.orEmpty() || values.all(::canBeNull)) throw e
        null
    }

/** The type of the values of an encoding; null for other types. */
private fun valueType(type: ArrowType): ArrowType? =
    when (val storage = type.storageType()) {
        is DictionaryType -> storage.valueType()
        is RunEndEncodedType -> storage.values().type()
        else -> null
    }

private fun isEncoded(type: ArrowType) =
    type.storageType().id() == TypeId.DICTIONARY || type.storageType().id() == TypeId.RUN_END_ENCODED

private fun neutralOf(array: ArrayView): List<Any?> =
    array.borrow { reader -> List(reader.length.toInt()) { neutral(reader.getObject(it.toLong())) } }

/** A value as one that is equal to the same value of another type. */
private fun neutral(value: Any?): Any? =
    when (value) {
        is Byte, is Short, is Int, is Long -> BigDecimal((value as Number).toLong()).stripTrailingZeros()
        is BigInteger -> BigDecimal(value).stripTrailingZeros()
        is BigDecimal -> value.stripTrailingZeros()
        is Float -> if (value.isFinite()) BigDecimal(value.toDouble()).stripTrailingZeros() else value.toString()
        is Double -> if (value.isFinite()) BigDecimal(value).stripTrailingZeros() else value.toString()
        is String -> value.toByteArray().toList()
        is ByteArray -> value.toList()
        is List<*> -> value.map(::neutral)
        is Map<*, *> -> value.entries.associate { neutral(it.key) to neutral(it.value) }
        is Map.Entry<*, *> -> neutral(value.key) to neutral(value.value)
        else -> value
    }
