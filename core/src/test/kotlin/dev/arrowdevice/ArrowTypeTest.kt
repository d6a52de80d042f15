package dev.arrowdevice

import dev.arrowdevice.internal.type.FormatsTest
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeSameInstanceAs

class ArrowTypeTest :
    FunSpec({
        val a = Field.notNull("a", ArrowType.INT32)
        val b = Field.nullable("b", ArrowType.UTF8)
        val printed =
            mapOf(
                "null" to ArrowType.NULL,
                "bool" to ArrowType.BOOL,
                "int8" to ArrowType.INT8,
                "uint8" to ArrowType.UINT8,
                "int16" to ArrowType.INT16,
                "uint16" to ArrowType.UINT16,
                "int32" to ArrowType.INT32,
                "uint32" to ArrowType.UINT32,
                "int64" to ArrowType.INT64,
                "uint64" to ArrowType.UINT64,
                "float16" to ArrowType.FLOAT16,
                "float32" to ArrowType.FLOAT32,
                "float64" to ArrowType.FLOAT64,
                "utf8" to ArrowType.UTF8,
                "large_utf8" to ArrowType.LARGE_UTF8,
                "utf8_view" to ArrowType.UTF8_VIEW,
                "binary" to ArrowType.BINARY,
                "large_binary" to ArrowType.LARGE_BINARY,
                "binary_view" to ArrowType.BINARY_VIEW,
                "decimal32(9, 2)" to ArrowType.decimal32(9, 2),
                "decimal64(18, -2)" to ArrowType.decimal64(18, -2),
                "decimal128(10, 2)" to ArrowType.decimal128(10, 2),
                "decimal256(76, 0)" to ArrowType.decimal256(76, 0),
                "fixed_size_binary[16]" to ArrowType.fixedSizeBinary(16),
                "date32[day]" to ArrowType.DATE32,
                "date64[ms]" to ArrowType.DATE64,
                "time32[s]" to ArrowType.time32(TimeUnit.SECOND),
                "time64[ns]" to ArrowType.time64(TimeUnit.NANOSECOND),
                "timestamp[us, tz=UTC]" to ArrowType.timestamp(TimeUnit.MICROSECOND, "UTC"),
                "timestamp[ms]" to ArrowType.timestamp(TimeUnit.MILLISECOND),
                "duration[s]" to ArrowType.duration(TimeUnit.SECOND),
                "month_interval" to ArrowType.INTERVAL_MONTHS,
                "day_time_interval" to ArrowType.INTERVAL_DAY_TIME,
                "month_day_nano_interval" to ArrowType.INTERVAL_MONTH_DAY_NANO,
                "list<item: int32>" to ArrowType.list(ArrowType.INT32),
                "list<a: int32 not null>" to ArrowType.list(a),
                "large_list<item: int32>" to ArrowType.largeList(ArrowType.INT32),
                "list_view<item: int32>" to ArrowType.listView(ArrowType.INT32),
                "large_list_view<item: int32>" to ArrowType.largeListView(ArrowType.INT32),
                "fixed_size_list<item: int32>[3]" to ArrowType.fixedSizeList(ArrowType.INT32, 3),
                "struct<a: int32 not null, b: utf8>" to ArrowType.struct(a, b),
                "struct<>" to ArrowType.struct(),
                "map<utf8, int32>" to ArrowType.map(ArrowType.UTF8, ArrowType.INT32),
                "map<int32, int32 not null, keys_sorted>" to ArrowType.map(a, a, true),
                "dense_union<a: int32 not null=4, b: utf8=5>" to ArrowType.denseUnion(listOf(4, 5), listOf(a, b)),
                "sparse_union<b: utf8=0>" to ArrowType.sparseUnion(listOf(0), listOf(b)),
                "run_end_encoded<run_ends: int16, values: utf8>" to
                    ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.UTF8),
                "dictionary<values=utf8, indices=int32, ordered=false>" to
                    ArrowType.dictionary(ArrowType.INT32, ArrowType.UTF8, false),
                "extension<arrow.uuid>" to ArrowType.uuid(),
            )
        for ((text, type) in printed) {
            test("a type prints as $text") {
                type.toString() shouldBe text
            }
        }

        test("each type of the table equals another one with the same parameters, and no other type") {
            printed.values.toList().shouldBeUnique()
            ArrowType.struct(a, b) shouldBe ArrowType.struct(listOf(a, b))
            ArrowType.struct(a, b).hashCode() shouldBe ArrowType.struct(listOf(a, b)).hashCode()
            ArrowType.denseUnion(listOf(4, 5), listOf(a, b)) shouldBe ArrowType.denseUnion(listOf(4, 5), listOf(a, b))
            PrimitiveType(TypeId.INT32) shouldBe ArrowType.INT32
        }

        test("types differ if any parameter differs") {
            ArrowType.decimal128(10, 2) shouldNotBe ArrowType.decimal128(10, 3)
            ArrowType.decimal128(9, 2) shouldNotBe ArrowType.decimal32(9, 2)
            ArrowType.timestamp(TimeUnit.SECOND) shouldNotBe ArrowType.timestamp(TimeUnit.SECOND, "UTC")
            ArrowType.list(a) shouldNotBe ArrowType.list(a.withNullable(true))
            ArrowType.list(a) shouldNotBe ArrowType.list(a.withName("b"))
            ArrowType.list(a) shouldNotBe ArrowType.list(a.withMetadata(Metadata.of("k", "v")))
            ArrowType.map(a, b, true) shouldNotBe ArrowType.map(a, b, false)
            ArrowType.denseUnion(listOf(0), listOf(a)) shouldNotBe ArrowType.denseUnion(listOf(1), listOf(a))
            ArrowType.denseUnion(listOf(0), listOf(a)) shouldNotBe ArrowType.sparseUnion(listOf(0), listOf(a))
            val index = ArrowType.INT8
            ArrowType.dictionary(index, index, true) shouldNotBe ArrowType.dictionary(index, index, false)
        }

        test("an empty time zone means no time zone") {
            ArrowType.timestamp(TimeUnit.SECOND, "") shouldBe ArrowType.timestamp(TimeUnit.SECOND)
            ArrowType.timestamp(TimeUnit.SECOND, "").timezone() shouldBe null
        }

        val refused =
            mapOf<String, () -> Any>(
                "decimal32 has 1 to 9 digits, not 10" to { ArrowType.decimal32(10, 0) },
                "decimal64 has 1 to 18 digits, not 19" to { ArrowType.decimal64(19, 0) },
                "decimal128 has 1 to 38 digits, not 0" to { ArrowType.decimal128(0, 0) },
                "decimal256 has 1 to 76 digits, not 77" to { ArrowType.decimal256(77, 0) },
                "INT8 is no decimal type" to { DecimalType(TypeId.INT8, 1, 0) },
                "fixed_size_binary has values of 0 to 268435455 bytes, not -1" to { ArrowType.fixedSizeBinary(-1) },
                "fixed_size_list has lists of 0 or more elements, not -1" to { ArrowType.fixedSizeList(a, -1) },
                "time32 counts s or ms, not us" to { ArrowType.time32(TimeUnit.MICROSECOND) },
                "time64 counts us or ns, not s" to { ArrowType.time64(TimeUnit.SECOND) },
                "DATE32 is no time type" to { TimeType(TypeId.DATE32, TimeUnit.SECOND) },
                "the time zone \"U\\0C\" has a NUL character" to { ArrowType.timestamp(TimeUnit.SECOND, "U\u0000C") },
                "has half of a surrogate pair" to { ArrowType.timestamp(TimeUnit.SECOND, "U\uD83DC") },
                "the type ids of a union are from 0 to 127, not 128" to {
                    ArrowType.denseUnion(
                        listOf(128),
                        listOf(a),
                    )
                },
                "the type ids of a union are from 0 to 127, not -1" to { ArrowType.sparseUnion(listOf(-1), listOf(a)) },
                "unique, and 3 occurs twice" to { ArrowType.sparseUnion(listOf(3, 3), listOf(a, b)) },
                "1 type ids and 2 children" to { ArrowType.sparseUnion(listOf(3), listOf(a, b)) },
                "STRUCT is no union type" to { UnionType(TypeId.STRUCT, listOf(), listOf()) },
                "run ends are int16, int32 or int64, not uint32" to {
                    ArrowType.runEndEncoded(ArrowType.UINT32, ArrowType.UTF8)
                },
                "the index of a dictionary is an integer, not utf8" to {
                    ArrowType.dictionary(ArrowType.UTF8, ArrowType.UTF8, false)
                },
                "the key field of a map cannot be nullable" to { ArrowType.map(b, a, false) },
                "key and value, not utf8" to { MapType(b, false) },
                "STRUCT has parameters" to { PrimitiveType(TypeId.STRUCT) },
                "MAP is no list type" to { ListType(TypeId.MAP, a) },
            )
        for ((message, build) in refused) {
            test("a type is refused: $message") {
                shouldThrow<InvalidSchemaException> { build() }.message shouldContain message
            }
        }

        test("the children are those of the C data interface") {
            ArrowType.INT32.children().shouldBeEmpty()
            ArrowType.dictionary(ArrowType.INT8, ArrowType.list(a), false).children().shouldBeEmpty()
            ArrowType.list(a).children() shouldBe listOf(a)
            ArrowType.map(a, b, false).children().map(Field::name) shouldBe listOf("entries")
            ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.UTF8).children() shouldBe
                listOf(Field.notNull("run_ends", ArrowType.INT16), Field.nullable("values", ArrowType.UTF8))
            ArrowType.fixedShapeTensor(ArrowType.INT8, listOf(2)).children() shouldBe
                listOf(Field.nullable("item", ArrowType.INT8))
        }

        test("the storage type is the type itself, except for extensions") {
            for ((_, type) in FormatsTest.typesByFormat) {
                type.storageType() shouldBeSameInstanceAs type
            }
            ArrowType.uuid().storageType() shouldBe ArrowType.fixedSizeBinary(16)
        }

        test("a union finds its children by type id") {
            val union = ArrowType.denseUnion(listOf(5, 0), listOf(a, b))
            union.childIndex(5) shouldBe 0
            union.childIndex(0) shouldBe 1
            union.childIndex(1) shouldBe -1
            val table = union.childIndices()
            table.size shouldBe 128
            table.withIndex().filter { it.value >= 0 }.associate { it.index to it.value } shouldBe mapOf(5 to 0, 0 to 1)
        }

        test("a type cannot be changed through lists that it was made of or returns") {
            val fields = mutableListOf(a)
            val struct = ArrowType.struct(fields)
            fields.clear()
            struct.fields() shouldBe listOf(a)
            val given: MutableList<Field> = struct.fields()
            shouldThrow<UnsupportedOperationException> { given.clear() }
        }

        test("the interface has no default methods, or initialising it and its classes could deadlock") {
            ArrowType::class.java.declaredMethods
                .filter { it.isDefault }
                .shouldBeEmpty()
        }
    })
