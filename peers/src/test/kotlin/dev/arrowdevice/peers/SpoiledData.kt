package dev.arrowdevice.peers

import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory.getByte
import dev.arrowdevice.spi.NativeMemory.getInt
import dev.arrowdevice.spi.NativeMemory.getLong
import dev.arrowdevice.spi.NativeMemory.putByte
import dev.arrowdevice.spi.NativeMemory.putInt
import dev.arrowdevice.spi.NativeMemory.putLong

/** Faults that only the data reveals. There are seven rows without nulls, so every row counts. */
object SpoiledData {
    private val rows = PeerOptions.rows(7)

    private fun data(
        name: String,
        field: PeerField,
        message: String,
        options: PeerOptions = rows,
        lowest: Validation = Validation.FULL,
        spoil: (ArrayStruct) -> Unit,
    ) = Spoiled(name, field, message, options, lowest) { _, array -> spoil(array) }

    val offsets =
        listOf(
            data("utf8 offsets that run backwards", Fields.utf8, "offset") { putInt(it.buffer(1) + 12, 0) },
            data("utf8 offsets that begin below zero", Fields.utf8, "offset", lowest = Validation.STRUCTURE) {
                putInt(it.buffer(1), -1)
            },
            data("a utf8 offset past the last one", Fields.utf8, "offset") { putInt(it.buffer(1) + 12, 1 shl 30) },
            data("large utf8 offsets that run backwards", Fields.largeUtf8, "offset") { putLong(it.buffer(1) + 24, 0) },
            data("a large utf8 offset past the last one", Fields.largeUtf8, "offset") {
                putLong(it.buffer(1) + 24, Long.MAX_VALUE)
            },
            data("list offsets that run backwards", Fields.list, "offset") { putInt(it.buffer(1) + 12, 0) },
            data("list offsets that begin below zero", Fields.list, "offset", lowest = Validation.STRUCTURE) {
                putInt(it.buffer(1), -4)
            },
            data("a list offset past the child", Fields.list, "offset", lowest = Validation.STRUCTURE) {
                putInt(it.buffer(1) + 28, 1000)
            },
            data(
                "list offsets past the child behind an offset",
                Fields.list,
                "offset",
                rows.withOffset(2),
                Validation.STRUCTURE,
            ) {
                putInt(it.buffer(1) + 36, 1000)
            },
            data("a large list offset past the child", Fields.largeList, "offset", lowest = Validation.STRUCTURE) {
                putLong(
                    it.buffer(1) + 56,
                    1L shl 40,
                )
            },
            data("a list offset one past the child", Fields.list, "offset", lowest = Validation.STRUCTURE) {
                putInt(it.buffer(1) + 28, it.child(0).length().toInt() + 1)
            },
            data("a map offset one past the entries", Fields.map, "offset", lowest = Validation.STRUCTURE) {
                putInt(it.buffer(1) + 28, it.child(0).length().toInt() + 1)
            },
            data("a first utf8 offset behind the last", Fields.utf8, "offset", lowest = Validation.STRUCTURE) {
                putInt(it.buffer(1), getInt(it.buffer(1) + 28) + 1)
            },
            data("a last utf8 offset below zero", Fields.utf8, "offset", lowest = Validation.NONE) {
                putInt(it.buffer(1) + 28, -1)
            },
            data("map offsets that run backwards", Fields.map, "offset") { putInt(it.buffer(1) + 12, 0) },
            data("a list view that begins below zero", Fields.listView, "list view") { putInt(it.buffer(1) + 4, -1) },
            data("a list view past the child", Fields.listView, "list view") { putInt(it.buffer(1) + 4, 1000) },
            data("a list view that ends one past the child", Fields.listView, "list view") {
                putInt(it.buffer(1) + 4, it.child(0).length().toInt() - getInt(it.buffer(2) + 4) + 1)
            },
            data("a list view of negative size", Fields.listView, "list view") { putInt(it.buffer(2) + 4, -1) },
            data("a list view whose end overflows", Fields.largeListView, "list view") {
                putLong(it.buffer(1) + 8, Long.MAX_VALUE)
                putLong(it.buffer(2) + 8, 2)
            },
            data("a dense union offset below zero", Fields.dense, "offset") { putInt(it.buffer(1) + 4, -1) },
            data("a dense union offset one past the child", Fields.dense, "offset") {
                val child = if (getByte(it.buffer(0) + 6).toInt() == 5) 0 else 1
                putInt(it.buffer(1) + 24, it.child(child).length().toInt())
            },
            data("a dense union offset past the child", Fields.dense, "offset") { putInt(it.buffer(1) + 4, 1000) },
        )

    private val withNulls = PeerOptions.rows(7).withNullEvery(3)

    /** What Arrow's specification forbids even where no value is read: behind a null, or in the order of values. */
    val unread =
        listOf(
            data("a list view that is null and out of bounds", Fields.listView, "list view", withNulls) { array ->
                val row = (0 until 7).first { getByte(array.buffer(0)).toInt() shr it and 1 == 0 }
                putInt(array.buffer(1) + 4L * row, 1000)
            },
            data("dense union offsets that fall", Fields.dense, "union offset") { array ->
                // Rows of the same child: the later one takes the earlier one's place, and the other way round.
                val ids = List(7) { getByte(array.buffer(0) + it) }
                val first = ids.indices.first { ids[it] == ids[0] }
                val second = ids.indices.last { ids[it] == ids[0] }
                val earlier = getInt(array.buffer(1) + 4L * first)
                putInt(array.buffer(1) + 4L * first, getInt(array.buffer(1) + 4L * second))
                putInt(array.buffer(1) + 4L * second, earlier)
            },
            data("a date64 that is no whole day", PeerField.of("x", "tdm"), "whole day") {
                putLong(it.buffer(1) + 8, 86_400_001)
            },
            data("a large list view that is null and out of bounds", Fields.largeListView, "list view", withNulls) {
                val row = (0 until 7).first { row -> getByte(it.buffer(0)).toInt() shr row and 1 == 0 }
                putLong(it.buffer(2) + 8L * row, 1000)
            },
            Spoiled("map keys that are null", Fields.map, "keys of the map", rows, Validation.FULL) { _, array ->
                array.child(0).child(0).nullCount(-1)
                array.child(0).child(0).buffer(0, zeroed(64))
            },
            Spoiled("map entries that are null", Fields.map, "entries of the map", rows, Validation.FULL) { _, array ->
                array.child(0).nullCount(-1)
                array.child(0).buffer(0, zeroed(64))
            },
        )

    val values =
        listOf(
            data("a view of negative size", Fields.utf8View, "view") { putInt(it.buffer(1) + 16, -1) },
            data(
                "a view into a buffer that is not there",
                Fields.utf8View,
                "view",
            ) { putInt(it.buffer(1) + 2 * 16 + 8, 2) },
            data(
                "a view into a buffer of negative number",
                Fields.utf8View,
                "view",
            ) { putInt(it.buffer(1) + 2 * 16 + 8, -1) },
            data("a view past its buffer", Fields.utf8View, "view") { putInt(it.buffer(1) + 2 * 16 + 12, 10) },
            data("a view that ends one past its buffer", Fields.utf8View, "view") {
                val at = it.buffer(1) + 2 * 16
                putInt(at + 12, getLong(it.buffer(3)).toInt() - getInt(at) + 1)
            },
            data("a view that begins below zero", Fields.utf8View, "view") { putInt(it.buffer(1) + 2 * 16 + 12, -1) },
            data(
                "a view longer than its buffer",
                Fields.utf8View,
                "view",
            ) { putInt(it.buffer(1) + 2 * 16, Int.MAX_VALUE) },
            data("a dictionary index past the dictionary", Fields.dictionary, "index") { putByte(it.buffer(1) + 3, 5) },
            data("a dictionary index below zero", Fields.dictionary, "index") { putByte(it.buffer(1) + 3, -1) },
            data(
                "an unsigned dictionary index past all bounds",
                PeerField.of("x", "L").withDictionary(PeerField.of("", "u")),
                "index",
            ) { putLong(it.buffer(1), -1) },
            data("a type id that the union lacks", Fields.sparse, "type id") { putByte(it.buffer(0) + 3, 6) },
            data("a negative type id", Fields.dense, "type id") { putByte(it.buffer(0) + 3, -5) },
            data("run ends that stand still", Fields.runs, "run") {
                val ends = it.child(0).buffer(1)
                putInt(ends + 4, getInt(ends))
            },
            data("run ends that go back", Fields.runs, "run") { putInt(it.child(0).buffer(1) + 8, 1) },
            Spoiled(
                "run ends that a bitmap marks null",
                Fields.runs,
                "the run ends have",
                rows,
                Validation.FULL,
            ) { _, array ->
                array.child(0).nullCount(-1)
                array.child(0).buffer(0, zeroed(8))
            },
            data("a run end of zero", Fields.runs, "run") { putInt(it.child(0).buffer(1), 0) },
            data("run ends that stop before the last row", Fields.runs, "run", lowest = Validation.STRUCTURE) {
                val ends = it.child(0).buffer(1) // 1, 3, 6, 7
                putInt(ends + 8, 5)
                putInt(ends + 12, 6)
            },
            data("bytes that are not UTF-8", Fields.utf8, "UTF-8") { putByte(it.buffer(2) + 1, -1) },
            data("a character cut in two by an offset", Fields.utf8, "UTF-8") { putInt(it.buffer(1) + 4, 1) },
            data(
                "bytes of a view that are not UTF-8",
                Fields.utf8View,
                "UTF-8",
            ) { putByte(it.buffer(1) + 16 + 4, -1) },
            data("an encoded surrogate", Fields.utf8, "UTF-8") { array ->
                // The long text of row 2 starts behind "é48": ED A0 80 is U+D800 in UTF-8's scheme.
                listOf(0xED, 0xA0, 0x80).forEachIndexed { i, byte -> putByte(array.buffer(2) + 4 + i, byte.toByte()) }
            },
            data("bad bytes in a child", PeerField.of("x", "+s", PeerField.of("a", "u")), "UTF-8") {
                putByte(it.child(0).buffer(2) + 1, -1)
            },
            data(
                "bad bytes in a dictionary",
                Fields.dictionary,
                "UTF-8",
            ) { putByte(it.dictionary().buffer(2) + 1, -1) },
        )

    /** Formats of times of day, and the size of a value in bytes and how many are a day. */
    val times: Map<String, Pair<Int, Long>> =
        mapOf(
            "tts" to (4 to 86_400L),
            "ttm" to (4 to 86_400_000L),
            "ttu" to (8 to 86_400_000_000L),
            "ttn" to (8 to 86_400_000_000_000L),
        )

    fun putTime(
        at: Long,
        byteSize: Int,
        value: Long,
    ) = if (byteSize == 4) putInt(at, value.toInt()) else putLong(at, value)

    /** Puts a value of 64 bits as one of 128. */
    fun putDecimal(
        at: Long,
        value: Long,
    ) {
        putLong(at, value)
        putLong(at + 8, value shr 63)
    }

    val ranges =
        times.flatMap { (format, unit) ->
            listOf("a time that is a day" to unit.second, "a time before midnight" to -1L).map { (name, value) ->
                data("$name, $format", PeerField.of("x", format), "the time at index 3 is $value") {
                    putTime(it.buffer(1) + 3L * unit.first, unit.first, value)
                }
            }
        } +
            listOf(100_000L, -100_000L).map { value ->
                data("$value as a decimal of five digits", PeerField.of("x", "d:5,2"), "the decimal at index 3") {
                    putDecimal(it.buffer(1) + 3L * 16, value)
                }
            }

    val all = offsets + unread + values + ranges
}
