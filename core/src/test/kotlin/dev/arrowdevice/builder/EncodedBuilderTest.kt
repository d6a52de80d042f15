package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.AbstractMap.SimpleEntry

/** What any builder offers, and only some types can do: runs, dictionaries, and a certain child of a union. */
class EncodedBuilderTest :
    FunSpec({
        extension(MemoryBalance())

        val colours = ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false)
        val runs = ArrowType.runEndEncoded(ArrowType.INT16, ArrowType.UTF8)

        test("a run is one run where runs are encoded, and as many values elsewhere") {
            listOf(ArrowType.UTF8 to 6L, runs to 3L, colours to 2L).forEach { (type, stored) ->
                build(type) {
                    appendRun("red", 3)
                    appendRun(null, 2)
                    appendRun("blue", 0)
                    appendRun("green", 1)
                    storedLength shouldBe stored
                    length shouldBe 6
                    messageOf { appendRun("red", -1) } shouldContain "-1"
                }.use { it.objects() shouldBe listOf("red", "red", "red", null, null, "green") }
            }
        }

        test("a run of more elements than run ends can count is refused and leaves the builder as it was") {
            build(runs) {
                appendRun("a", 32767)
                messageOf { appendRun("b", 1) } shouldContain "32767"
                length shouldBe 32767
                storedLength shouldBe 1
            }.close()
        }

        test("a dictionary that was given is shared, and holds the only values that are taken") {
            arrayOf(ArrowType.UTF8, "red", "green").use { dictionary ->
                build(colours) {
                    useDictionary(dictionary)
                    append("green")
                    appendIndex(0)
                    messageOf { append("blue") } shouldContain "blue"
                    messageOf { appendIndex(2) } shouldContain "2"
                    storedLength shouldBe 2
                    shouldThrow<IllegalStateException> { useDictionary(dictionary) }
                }.use { it.objects() shouldBe listOf("green", "red") }
            }
        }

        test("a type without a dictionary names itself when it is given one, or an index of one") {
            arrayOf(ArrowType.UTF8, "red").use { dictionary ->
                ArrayBuilder.of(Field.nullable("n", ArrowType.INT32)).use { builder ->
                    messageOf { builder.useDictionary(dictionary) }.let {
                        it shouldContain "\"n\""
                        it shouldContain "int32"
                    }
                    messageOf { builder.appendIndex(0) } shouldContain "int32"
                    builder.length shouldBe 0
                }
            }
        }

        test("a value of a union goes to the child that is named, by its name or index, nulls too") {
            val fields = listOf(Field.nullable("number", ArrowType.INT32), Field.nullable("text", ArrowType.UTF8))
            listOf(
                ArrowType.sparseUnion(listOf(5, 7), fields),
                ArrowType.denseUnion(listOf(5, 7), fields),
            ).forEach { type ->
                build(ArrowType.list(type)) {
                    val union = `as`(ListBuilder::class.java).elements(UnionBuilder::class.java)
                    append(listOf(SimpleEntry("text", "a"), SimpleEntry(0, 1), SimpleEntry("text", null), 2))
                    messageOf { union.select("size") } shouldContain "number, text"
                    messageOf { union.append(SimpleEntry("number", "one")) } shouldContain "int32"
                    union.length shouldBe 4
                }.use { array -> array.objects() shouldBe listOf(listOf("a", 1, null, 2)) }
            }
        }

        test("each builder is one final class below the contract") {
            val builders =
                listOf(
                    ArrowType.NULL,
                    ArrowType.BOOL,
                    ArrowType.INT8,
                    ArrowType.FLOAT32,
                    ArrowType.UTF8,
                    ArrowType.UTF8_VIEW,
                    ArrowType.decimal128(3, 1),
                    ArrowType.DATE32,
                    ArrowType.uuid(),
                    ArrowType.INTERVAL_DAY_TIME,
                    ArrowType.list(ArrowType.INT8),
                    ArrowType.struct(),
                    ArrowType.map(ArrowType.UTF8, ArrowType.INT8),
                    ArrowType.denseUnion(listOf(), listOf()),
                    runs,
                    colours,
                )
            builders.forEach { type ->
                ArrayBuilder.of(type).use { builder ->
                    builder.javaClass.superclass shouldBe ArrayBuilder::class.java
                    java.lang.reflect.Modifier
                        .isFinal(builder.javaClass.modifiers) shouldBe true
                }
            }
        }
    })
