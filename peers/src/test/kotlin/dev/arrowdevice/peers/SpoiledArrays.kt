package dev.arrowdevice.peers

import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory

/**
 * Faults that the structs alone reveal, without reading a byte of data. Those of the shapes take a look at two structs
 * at a time, which no import does that trusts its producer.
 */
object SpoiledArrays {
    private val noNulls = PeerOptions.rows(7)
    private val empty = PeerOptions.rows(0)

    /** The sum of length and offset may not be above this. */
    const val GREATEST_END: Long = Long.MAX_VALUE / 64

    val counts =
        listOf(
            Spoiled("one buffer too few", Fields.int32, "n_buffers") { _, array -> array.bufferCount(1) },
            Spoiled("one buffer too many", Fields.int32, "n_buffers") { _, array -> array.bufferCount(3) },
            Spoiled("a negative number of buffers", Fields.int32, "n_buffers") { _, array -> array.bufferCount(-1) },
            Spoiled(
                "a huge number of buffers",
                Fields.int32,
                "n_buffers",
            ) { _, array -> array.bufferCount(Long.MAX_VALUE) },
            Spoiled(
                "a view array without its buffer of sizes",
                Fields.utf8View,
                "n_buffers",
            ) { _, array -> array.bufferCount(2) },
            Spoiled("a view array with a huge number of buffers", Fields.utf8View, "n_buffers") { _, array ->
                array.bufferCount(Long.MAX_VALUE)
            },
            Spoiled("a null array with a buffer", Fields.nothing, "n_buffers") { _, array -> array.bufferCount(2) },
            Spoiled(
                "a union with two buffers too many",
                Fields.sparse,
                "n_buffers",
            ) { _, array -> array.bufferCount(3) },
            Spoiled("no buffers member", Fields.int32, "buffers") { _, array -> array.buffers(0) },
            Spoiled("one child too few", Fields.struct, "n_children") { _, array -> array.childCount(1) },
            Spoiled("one child too many", Fields.list, "n_children") { _, array -> array.childCount(2) },
            Spoiled("children where there are none", Fields.int32, "n_children") { _, array -> array.childCount(1) },
            Spoiled("a negative number of children", Fields.struct, "n_children") { _, array -> array.childCount(-1) },
            Spoiled(
                "a huge number of children",
                Fields.struct,
                "n_children",
            ) { _, array -> array.childCount(Long.MAX_VALUE) },
            Spoiled("no children member", Fields.struct, "children") { _, array -> array.children(0) },
            Spoiled("a child that is NULL", Fields.struct, "NULL") { _, array -> array.child(1, 0) },
            Spoiled(
                "a child that is released",
                Fields.struct,
                "released",
            ) { _, array -> peer.releaseArray(array.child(1).address) },
            Spoiled("no dictionary", Fields.dictionary, "dictionary") { _, array ->
                peer.releaseArray(array.dictionary().address)
                array.dictionary(0)
            },
            Spoiled("a dictionary that is released", Fields.dictionary, "released") { _, array ->
                peer.releaseArray(array.dictionary().address)
            },
            Spoiled("a dictionary that nobody expects", Fields.struct, "dictionary") { _, array ->
                array.dictionary(array.child(0).address)
            },
        )

    val numbers =
        listOf(
            Spoiled("a negative length", Fields.int32, "length") { _, array -> array.length(-1) },
            Spoiled("the most negative length", Fields.int32, "length") { _, array -> array.length(Long.MIN_VALUE) },
            Spoiled("a negative offset", Fields.int32, "offset") { _, array -> array.offset(-1) },
            Spoiled("length and offset that overflow together", Fields.int32, "offset", noNulls) { _, array ->
                array.length(Long.MAX_VALUE)
                array.offset(1)
            },
            Spoiled("an offset that overflows with the length", Fields.int32, "overflow", noNulls) { _, array ->
                array.offset(Long.MAX_VALUE)
            },
            Spoiled("an end that is one too large", Fields.nothing, "overflow", noNulls) { _, array ->
                array.offset(GREATEST_END - 6)
            },
            Spoiled(
                "a length whose bytes overflow",
                Fields.int32,
                "length",
                noNulls,
            ) { _, array -> array.length(Long.MAX_VALUE) },
            Spoiled("a length whose wide values overflow", PeerField.of("x", "w:100"), "100 bytes overflow", noNulls) {
                _,
                array,
                ->
                array.length(GREATEST_END)
            },
            Spoiled("a length whose offsets overflow", Fields.largeUtf8, "length", noNulls) { _, array ->
                array.length(Long.MAX_VALUE / 8)
            },
            Spoiled("a negative length of a null array", Fields.nothing, "length") { _, array -> array.length(-1) },
            Spoiled("a negative length of a child", Fields.struct, "length") { _, array -> array.child(0).length(-1) },
            Spoiled("a negative offset of a child", Fields.struct, "offset") { _, array -> array.child(0).offset(-1) },
            Spoiled("a null_count below -1", Fields.int32, "null_count") { _, array -> array.nullCount(-2) },
            Spoiled("a null_count above the length", Fields.int32, "null_count") { _, array -> array.nullCount(8) },
            Spoiled(
                "a null_count below -1 in a child",
                Fields.struct,
                "null_count",
            ) { _, array -> array.child(1).nullCount(-2) },
            Spoiled("a null_count below -1 in a dictionary", Fields.dictionary, "null_count") { _, array ->
                array.dictionary().nullCount(-2)
            },
        )

    val nulls =
        listOf(
            Spoiled("values that are NULL", Fields.int32, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled("values that are NULL behind an offset", Fields.int32, "NULL", empty.withOffset(3)) { _, array ->
                array.length(2)
                array.buffer(1, 0)
            },
            Spoiled(
                "a validity that is NULL though there are nulls",
                Fields.int32,
                "NULL",
            ) { _, array -> array.buffer(0, 0) },
            Spoiled("offsets that are NULL", Fields.utf8, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled("offsets of a list that are NULL", Fields.list, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled("offsets of a list view that are NULL", Fields.listView, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled("sizes of a list view that are NULL", Fields.listView, "NULL") { _, array -> array.buffer(2, 0) },
            Spoiled("views that are NULL", Fields.utf8View, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled(
                "variadic sizes that are NULL",
                Fields.utf8View,
                "NULL",
                noNulls,
            ) { _, array -> array.buffer(3, 0) },
            Spoiled(
                "a variadic buffer that is NULL",
                Fields.utf8View,
                "NULL",
                noNulls,
            ) { _, array -> array.buffer(2, 0) },
            Spoiled("a variadic size that is negative", Fields.utf8View, "-1", noNulls) { _, array ->
                NativeMemory.putLong(array.buffer(3), -1)
            },
            Spoiled(
                "type ids that are NULL",
                Fields.sparse,
                "the type ids buffer is NULL, 7 bytes are needed",
            ) { _, array -> array.buffer(0, 0) },
            Spoiled("offsets of a dense union that are NULL", Fields.dense, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled("indices that are NULL", Fields.dictionary, "NULL") { _, array -> array.buffer(1, 0) },
            Spoiled("run ends that are NULL", Fields.runs, "NULL") { _, array -> array.child(0).buffer(1, 0) },
            Spoiled(
                "values of a child that are NULL",
                Fields.struct,
                "NULL",
            ) { _, array -> array.child(0).buffer(1, 0) },
        )

    private fun shape(
        name: String,
        field: PeerField,
        message: String,
        options: PeerOptions = noNulls,
        spoil: (ArrayStruct) -> Unit,
    ) = Spoiled(name, field, message, options, Validation.STRUCTURE) { _, array -> spoil(array) }

    val shapes =
        listOf(
            Spoiled(
                "an int32 array for a utf8 schema",
                Fields.int32,
                "n_buffers",
            ) { schema, _ -> schema.format(bytes('u'.code, 0)) },
            Spoiled("an int32 array for a struct schema", Fields.int32, "n_buffers") { schema, _ ->
                schema.format(bytes('+'.code, 's'.code, 0))
            },
            shape("a field that is shorter than its struct", Fields.struct, "length") { it.child(0).length(6) },
            shape(
                "a field that is shorter than its struct and its offset",
                Fields.struct,
                "length",
                noNulls.withOffset(2),
            ) {
                it.child(1).length(8)
            },
            shape("elements that are too few for a fixed-size list", Fields.fixedList, "length") {
                it.child(0).length(20)
            },
            shape("fixed-size lists whose elements overflow", PeerField.of("x", "+w:65", Fields.nothing), "overflow") {
                it.length(GREATEST_END)
            },
            shape("a child that is shorter than its sparse union", Fields.sparse, "length") { it.child(1).length(6) },
            shape("more run ends than values", Fields.runs, "run") { it.child(1).length(it.child(1).length() - 1) },
            shape("no runs though there are rows", Fields.runs, "no runs") { it.child(0).length(0) },
            Spoiled(
                "run ends with nulls and a bitmap",
                Fields.runs,
                "null",
                noNulls,
                Validation.STRUCTURE,
            ) { _, array ->
                array.child(0).nullCount(1)
                array.child(0).buffer(0, zeroed(8))
            },
            Spoiled("run ends with nulls", Fields.runs, "null", noNulls) { _, array -> array.child(0).nullCount(1) },
            Spoiled("a child that is its own child", Fields.nestedStruct, "a.b.c: n_buffers is 1") { _, array ->
                array.child(0).child(0, array.child(0).address)
            },
        )

    val all = counts + numbers + nulls + shapes
}
