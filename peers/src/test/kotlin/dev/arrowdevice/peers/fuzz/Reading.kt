package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.ArrayReader
import dev.arrowdevice.ArrayView
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.peers.arbitrary.comparable

private val GETTERS: List<(ArrayReader, Long) -> Any?> =
    listOf(
        ArrayReader::getBoolean,
        ArrayReader::getByte,
        ArrayReader::getShort,
        ArrayReader::getInt,
        ArrayReader::getLong,
        ArrayReader::getFloat,
        ArrayReader::getDouble,
        ArrayReader::getDecimal,
        ArrayReader::getString,
        ArrayReader::getBytes,
        ArrayReader::listStart,
        ArrayReader::listSize,
        ArrayReader::unionChild,
        ArrayReader::dictionaryIndex,
    )

/** Calls every getter that the type has for every value, of the children and the dictionary too. */
internal fun ArrayView.readByType() = borrow(::readByType)

private fun readByType(reader: ArrayReader) {
    val getters = GETTERS.toMutableList()
    for (i in 0 until reader.length) {
        if (reader.isNull(i)) continue
        getters.removeIf { get ->
            try {
                get(reader, i)
                false
            } catch (_: UnsupportedOperationException) {
                true // the type has no such values
            } catch (_: ArithmeticException) {
                false // the value is too large for what was asked for
            }
        }
    }
    for (child in 0 until reader.childCount) readByType(reader.child(child))
    if (reader.type.storageType() is DictionaryType) readByType(reader.dictionary)
}

/** All values, as objects that are equal if the values are. */
internal fun ArrayView.objects(): List<Any?> =
    borrow { reader ->
        List(reader.length.toInt()) { i ->
            try {
                comparable(reader.getObject(i.toLong()))
            } catch (e: IllegalStateException) {
                // Java's times have a smaller range than Arrow's.
                if ("reads it raw" in e.message.orEmpty()) "unreadable" else throw e
            }
        }
    }
