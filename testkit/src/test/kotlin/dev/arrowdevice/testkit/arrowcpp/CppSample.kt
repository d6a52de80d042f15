package dev.arrowdevice.testkit.arrowcpp

/** An array that Arrow C++ builds by itself: a type in the words of the C data interface, and values as JSON. */
class CppSample(
    val name: String,
    private val make: () -> CppArray,
) {
    /** Built anew at each call; the caller closes it. */
    fun build(): CppArray = make()

    override fun toString(): String = name

    companion object {
        private val int32 = TypeSpec.of("i")
        private val utf8 = TypeSpec.of("u")
        private val item = int32.named("item")

        /** At least one sample for each type that Arrow C++ knows, each with nulls where the type can have them. */
        val all: List<CppSample> =
            numbers() + decimals() + bytes() + temporals() + nested() + unions() + dictionaries() + runEnds() +
                extensions()

        private fun json(
            name: String,
            type: TypeSpec,
            values: String,
        ) = CppSample(name) { CppArrays.fromJson(type, values) }

        private fun numbers() =
            listOf(
                json("null", TypeSpec.of("n"), "[null, null, null]"),
                json("bool", TypeSpec.of("b"), "[true, null, false, true, true, false, false, true, null, true]"),
                json("int8", TypeSpec.of("c"), "[-128, null, 127, 0]"),
                json("uint8", TypeSpec.of("C"), "[0, null, 255, 1]"),
                json("int16", TypeSpec.of("s"), "[-32768, null, 32767, 0]"),
                json("uint16", TypeSpec.of("S"), "[0, null, 65535, 1]"),
                json("int32", TypeSpec.of("i"), "[-2147483648, null, 2147483647, 0]"),
                json("uint32", TypeSpec.of("I"), "[0, null, 4294967295, 1]"),
                json("int64", TypeSpec.of("l"), "[-9223372036854775808, null, 9223372036854775807, 0]"),
                json("uint64", TypeSpec.of("L"), "[0, null, 18446744073709551615, 1]"),
                json("float16", TypeSpec.of("e"), "[1.5, null, -0.25, 65504.0]"),
                json("float32", TypeSpec.of("f"), "[1.5, null, -0.0, NaN, Inf]"),
                json("float64", TypeSpec.of("g"), "[1.5, null, -0.0, NaN, -Inf]"),
            )

        private fun decimals() =
            listOf(
                json("decimal32", TypeSpec.of("d:9,2,32"), """["1234567.89", null, "-0.01"]"""),
                json("decimal64", TypeSpec.of("d:18,3,64"), """["123456789012345.678", null, "-0.001"]"""),
                json(
                    "decimal128",
                    TypeSpec.of("d:38,10"),
                    """["1234567890123456789012345678.9012345678", null, "-0.0000000001"]""",
                ),
                json("decimal256", TypeSpec.of("d:76,0,256"), """["${"9".repeat(76)}", null, "-1"]"""),
            )

        private fun bytes(): List<CppSample> {
            val texts =
                """["", null, "Ada", "Gr\u00fc\u00dfe, \u4e16\u754c \ud83d\ude80, longer than twelve bytes", "twelve bytes"]"""
            return listOf("u", "U", "vu", "z", "Z", "vz").map { format ->
                json("bytes of format $format", TypeSpec.of(format), texts)
            } + json("fixed_size_binary", TypeSpec.of("w:3"), """["abc", null, "xyz"]""")
        }

        private fun temporals(): List<CppSample> {
            val seconds = listOf("tts", "ttm", "ttu", "ttn", "tDs", "tDm", "tDu", "tDn")
            val moments = listOf("tss:", "tsm:Europe/Berlin", "tsu:+01:00", "tsn:UTC")
            return seconds.map { json("time of format $it", TypeSpec.of(it), "[0, null, 86399]") } +
                moments.map { json("time of format $it", TypeSpec.of(it), "[0, null, 1700000000, -1]") } +
                json("date32", TypeSpec.of("tdD"), "[0, null, 20000, -1]") +
                json("date64", TypeSpec.of("tdm"), "[0, null, 86400000, -86400000]") +
                json("interval of months", TypeSpec.of("tiM"), "[0, null, -14]") +
                json("interval of days and time", TypeSpec.of("tiD"), "[[0, 0], null, [-1, 86400000]]") +
                json(
                    "interval of months, days and nanoseconds",
                    TypeSpec.of("tin"),
                    "[[0, 0, 0], null, [-1, 2, 999999999]]",
                )
        }

        private fun nested(): List<CppSample> {
            val pair = TypeSpec.of("+s", int32.named("a"), utf8.named("b"))
            val lists = "[[1, null, 3], null, [], [4, 5]]"
            return listOf("+l", "+L", "+vl", "+vL").map { json("list of format $it", TypeSpec.of(it, item), lists) } +
                listOf(
                    json("fixed_size_list", TypeSpec.of("+w:2", item), "[[1, null], null, [3, 4]]"),
                    json("struct", pair, """[{"a": 1, "b": "x"}, null, {"a": null, "b": "z"}]"""),
                    json("map", TypeSpec.map(utf8, int32), """[[["k", 1], ["l", null]], null, [], [["m", 3]]]"""),
                    json(
                        "map with sorted keys",
                        TypeSpec.map(utf8, int32).flags(TypeSpec.NULLABLE or TypeSpec.MAP_KEYS_SORTED),
                        """[[["k", 1], ["l", null]], []]""",
                    ),
                    json(
                        "list of structs of lists",
                        TypeSpec.of("+l", TypeSpec.of("+s", TypeSpec.of("+vl", item).named("v")).named("item")),
                        """[[{"v": [1, 2]}, null], [], null, [{"v": null}]]""",
                    ),
                )
        }

        private fun unions() =
            listOf("+us:5,7", "+ud:5,7").map {
                json(
                    "union of format $it",
                    TypeSpec.of(it, int32.named("i"), utf8.named("s")),
                    """[[5, 1], [7, "x"], [5, null], [7, "y"]]""",
                )
            }

        private fun dictionaries() =
            listOf("c", "C", "s", "S", "i", "I", "l", "L").map {
                json(
                    "dictionary with indices of format $it",
                    TypeSpec.of(it).dictionary(utf8),
                    """["b", "a", null, "b"]""",
                )
            } +
                CppSample("ordered dictionary") {
                    val type = TypeSpec.of("c").flags(TypeSpec.NULLABLE or TypeSpec.DICTIONARY_ORDERED).dictionary(utf8)
                    closing(
                        type.toCpp(),
                        CppArrays.fromJson(TypeSpec.of("c"), "[1, null, 0, 2]"),
                        CppArrays.fromJson(utf8, """["a", "b", null]"""),
                    ) {
                        CppArrays.dictionary(it[0] as CppType, it[1] as CppArray, it[2] as CppArray)
                    }
                }

        private fun runEnds() =
            listOf("s", "i", "l").map { format ->
                CppSample("run ends of format $format, from the middle of a run") {
                    val type = TypeSpec.of("+r", TypeSpec.of(format).named("run_ends").notNull(), utf8.named("values"))
                    closing(
                        type.toCpp(),
                        CppArrays.fromJson(TypeSpec.of(format), "[2, 5, 6, 9]"),
                        CppArrays.fromJson(utf8, """["a", null, "b", "c"]"""),
                    ) {
                        CppArrays.runEndEncoded(it[0] as CppType, 7, it[1] as CppArray, it[2] as CppArray, 1)
                    }
                }
            }

        private fun extensions() =
            listOf(
                extension("arrow.uuid", "", TypeSpec.of("w:16"), """["0123456789abcdef", null]"""),
                extension("arrow.bool8", "", TypeSpec.of("c"), "[0, null, 1, 5]"),
                extension("arrow.json", "", utf8, """["{\"a\": 1}", null, "[]"]"""),
                extension(
                    "arrow.fixed_shape_tensor",
                    """{"shape":[2,2]}""",
                    TypeSpec.of("+w:4", item),
                    "[[1, 2, 3, 4], null, [5, 6, 7, 8]]",
                ),
            )

        private fun extension(
            name: String,
            serialized: String,
            storage: TypeSpec,
            values: String,
        ) = CppSample(name) {
            closing(storage.extension(name, serialized).toCpp(), CppArrays.fromJson(storage, values)) {
                CppArrays.extension(it[0] as CppType, it[1] as CppArray)
            }
        }

        private fun closing(
            vararg objects: CppObject,
            body: (List<CppObject>) -> CppArray,
        ): CppArray =
            try {
                body(objects.asList())
            } finally {
                objects.forEach { it.close() }
            }
    }
}
