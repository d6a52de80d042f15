package dev.arrowdevice.internal.type

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.MapType
import dev.arrowdevice.TimeUnit
import dev.arrowdevice.TypeId
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.shouldBe
import io.kotest.matchers.types.shouldBeSameInstanceAs

private fun parse(
    format: String,
    vararg children: Field,
    flags: Long = 0,
    dictionary: ArrowType? = null,
): ArrowType = Formats.parse(format, flags, children.toList(), dictionary)

class FormatsTest :
    FunSpec({
        for ((format, type) in typesByFormat) {
            test("format $format is $type, in both directions") {
                Formats.format(type) shouldBe format
                val flags = if (type is MapType && type.keysSorted()) Formats.FLAG_MAP_KEYS_SORTED else 0
                Formats.parse(format, flags, type.children(), null) shouldBe type
            }
        }

        test("the table of this test has every kind of type with a format") {
            val withoutFormat = setOf(TypeId.DICTIONARY, TypeId.EXTENSION)
            typesByFormat.map { (_, type) -> type.id() } shouldContainAll TypeId.entries.filter { it !in withoutFormat }
        }

        test("a type without parameters is parsed to its constant") {
            parse("l") shouldBeSameInstanceAs ArrowType.INT64
        }

        test("the bit width 128 of a decimal may be read and is not written") {
            parse("d:19,10,128") shouldBe ArrowType.decimal128(19, 10)
            Formats.format(ArrowType.decimal128(19, 10)) shouldBe "d:19,10"
        }

        test("a time zone is read unchanged, with its colons") {
            parse("tsn:+05:30") shouldBe ArrowType.timestamp(TimeUnit.NANOSECOND, "+05:30")
            parse("tss:Zürich: west") shouldBe ArrowType.timestamp(TimeUnit.SECOND, "Zürich: west")
        }

        test("a dictionary has the format of its index and the ordered flag") {
            val type = ArrowType.dictionary(ArrowType.INT16, ArrowType.decimal128(12, 5), true)
            Formats.format(type) shouldBe "s"
            Formats.flags(Field.nullable("d", type)) shouldBe
                (Formats.FLAG_NULLABLE or Formats.FLAG_DICTIONARY_ORDERED)
            parse("s", flags = 1, dictionary = ArrowType.decimal128(12, 5)) shouldBe type
            parse("s", flags = 2, dictionary = ArrowType.UTF8) shouldBe
                ArrowType.dictionary(ArrowType.INT16, ArrowType.UTF8, false)
        }

        for (index in listOf("c", "C", "s", "S", "i", "I", "l", "L")) {
            test("format $index can be the index of a dictionary") {
                parse(index, dictionary = ArrowType.UTF8) shouldBe
                    ArrowType.dictionary(parse(index), ArrowType.UTF8, false)
            }
        }

        test("a dictionary of dictionaries keeps both") {
            val inner = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false)
            parse("i", dictionary = inner) shouldBe ArrowType.dictionary(ArrowType.INT32, inner, false)
        }

        test("the ordered flag without a dictionary, and unknown flags, change nothing") {
            parse("i", flags = 1) shouldBe ArrowType.INT32
            parse("u", flags = -1L) shouldBe ArrowType.UTF8
        }

        test("an extension has the format and flags of its storage") {
            Formats.format(ArrowType.uuid()) shouldBe "w:16"
            val storage = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, true)
            val extension = ArrowType.extension("my.enum", storage, ByteArray(0))
            Formats.format(extension) shouldBe "c"
            Formats.flags(Field.notNull("e", extension)) shouldBe Formats.FLAG_DICTIONARY_ORDERED
        }

        test("the flags of a field are nullable and sorted keys") {
            val key = Field.notNull("key", ArrowType.UTF8)
            val value = Field.nullable("value", ArrowType.INT32)
            Formats.flags(Field.nullable("a", ArrowType.INT32)) shouldBe 2L
            Formats.flags(Field.notNull("a", ArrowType.INT32)) shouldBe 0L
            Formats.flags(Field.nullable("a", ArrowType.map(key, value, true))) shouldBe 6L
            Formats.flags(Field.notNull("a", ArrowType.map(key, value, false))) shouldBe 0L
        }

        test("a map keeps its producer's nullability of entries and keys") {
            val entries =
                Field.nullable(
                    "entries",
                    ArrowType.struct(Field.nullable("k", ArrowType.UTF8), Field.notNull("v", ArrowType.INT8)),
                )
            val map = parse("+m", entries) as MapType
            map.entries() shouldBe entries
            map.key().nullable() shouldBe true
        }

        test("a union without children has no type ids") {
            parse("+us:") shouldBe ArrowType.sparseUnion(listOf(), listOf())
        }

        test("a type 64 levels deep is written, compared and hashed") {
            val deep = (1..64).fold(ArrowType.INT8) { type, _ -> ArrowType.list(type) }
            val again = (1..64).fold(ArrowType.INT8) { type, _ -> ArrowType.list(type) }
            deep shouldBe again
            deep.hashCode() shouldBe again.hashCode()
            deep.toString() shouldBe "list<item: ".repeat(64) + "int8" + ">".repeat(64)
            deep.layout() shouldBe again.layout()
        }
    }) {
    companion object {
        private val item = Field.nullable("item", ArrowType.INT32)
        private val fields = listOf(Field.notNull("a", ArrowType.INT32), Field.nullable("b", ArrowType.UTF8))

        val typesByFormat: List<Pair<String, ArrowType>> =
            listOf(
                "n" to ArrowType.NULL,
                "b" to ArrowType.BOOL,
                "c" to ArrowType.INT8,
                "C" to ArrowType.UINT8,
                "s" to ArrowType.INT16,
                "S" to ArrowType.UINT16,
                "i" to ArrowType.INT32,
                "I" to ArrowType.UINT32,
                "l" to ArrowType.INT64,
                "L" to ArrowType.UINT64,
                "e" to ArrowType.FLOAT16,
                "f" to ArrowType.FLOAT32,
                "g" to ArrowType.FLOAT64,
                "z" to ArrowType.BINARY,
                "Z" to ArrowType.LARGE_BINARY,
                "vz" to ArrowType.BINARY_VIEW,
                "u" to ArrowType.UTF8,
                "U" to ArrowType.LARGE_UTF8,
                "vu" to ArrowType.UTF8_VIEW,
                "d:9,2,32" to ArrowType.decimal32(9, 2),
                "d:18,-3,64" to ArrowType.decimal64(18, -3),
                "d:19,10" to ArrowType.decimal128(19, 10),
                "d:1,-2147483648" to ArrowType.decimal128(1, Int.MIN_VALUE),
                "d:76,2147483647,256" to ArrowType.decimal256(76, Int.MAX_VALUE),
                "w:0" to ArrowType.fixedSizeBinary(0),
                "w:42" to ArrowType.fixedSizeBinary(42),
                "tdD" to ArrowType.DATE32,
                "tdm" to ArrowType.DATE64,
                "tts" to ArrowType.time32(TimeUnit.SECOND),
                "ttm" to ArrowType.time32(TimeUnit.MILLISECOND),
                "ttu" to ArrowType.time64(TimeUnit.MICROSECOND),
                "ttn" to ArrowType.time64(TimeUnit.NANOSECOND),
                "tss:" to ArrowType.timestamp(TimeUnit.SECOND),
                "tsm:" to ArrowType.timestamp(TimeUnit.MILLISECOND),
                "tsu:" to ArrowType.timestamp(TimeUnit.MICROSECOND),
                "tsn:" to ArrowType.timestamp(TimeUnit.NANOSECOND),
                "tss:UTC" to ArrowType.timestamp(TimeUnit.SECOND, "UTC"),
                "tsm:Europe/Vienna" to ArrowType.timestamp(TimeUnit.MILLISECOND, "Europe/Vienna"),
                "tsu:-07:00" to ArrowType.timestamp(TimeUnit.MICROSECOND, "-07:00"),
                "tsn:UTC" to ArrowType.timestamp(TimeUnit.NANOSECOND, "UTC"),
                "tDs" to ArrowType.duration(TimeUnit.SECOND),
                "tDm" to ArrowType.duration(TimeUnit.MILLISECOND),
                "tDu" to ArrowType.duration(TimeUnit.MICROSECOND),
                "tDn" to ArrowType.duration(TimeUnit.NANOSECOND),
                "tiM" to ArrowType.INTERVAL_MONTHS,
                "tiD" to ArrowType.INTERVAL_DAY_TIME,
                "tin" to ArrowType.INTERVAL_MONTH_DAY_NANO,
                "+l" to ArrowType.list(item),
                "+L" to ArrowType.largeList(item),
                "+vl" to ArrowType.listView(item),
                "+vL" to ArrowType.largeListView(item),
                "+w:0" to ArrowType.fixedSizeList(item, 0),
                "+w:123" to ArrowType.fixedSizeList(item, 123),
                "+w:2147483647" to ArrowType.fixedSizeList(item, Int.MAX_VALUE),
                "+s" to ArrowType.struct(fields),
                "+s" to ArrowType.struct(),
                "+m" to ArrowType.map(ArrowType.UTF8, ArrowType.FLOAT64),
                "+m" to ArrowType.map(fields[0], fields[1], true),
                "+ud:4,5" to ArrowType.denseUnion(listOf(4, 5), fields),
                "+us:127,0" to ArrowType.sparseUnion(listOf(127, 0), fields),
                "+r" to ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.FLOAT32),
            )
    }
}
