package dev.arrowdevice.builder

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** Batches by row and by column, and lists and maps that are begun and ended by hand. */
class RecordBatchBuilderTest :
    FunSpec({
        extension(MemoryBalance())

        val schema = Schema.of(Field.nullable("id", ArrowType.INT64), Field.nullable("name", ArrowType.UTF8))

        test("rows and columns may be appended by turns") {
            RecordBatchBuilder.of(schema).use { builder ->
                builder.column("id").append(1L)
                builder.column(1).append("Ada")
                builder.appendRow(2L, null)
                builder.finish().use { batch ->
                    batch.rowCount shouldBe 2
                    batch.column("id").objects() shouldBe listOf(1L, 2L)
                    batch.column("name").objects() shouldBe listOf("Ada", null)
                }
            }
        }

        test("a column that is added needs a value for each row that is there") {
            RecordBatchBuilder.of(schema).use { builder ->
                builder.appendRow(1L, "Ada")
                val born = builder.addColumn(Field.notNull("born", ArrowType.INT32))
                messageOf { builder.finish() } shouldContain "born"
                born.append(1815)
                builder.appendRow(2L, "Alan", 1912)
                builder.finish().use { batch ->
                    batch.schema.fields().map { it.name() } shouldBe listOf("id", "name", "born")
                    batch.column("born").objects() shouldBe listOf(1815, 1912)
                }
            }
        }

        test("a row that fails is refused at the end, and can be completed") {
            RecordBatchBuilder.of(schema).use { builder ->
                messageOf { builder.appendRow(1L, 2L) } shouldContain "\"name\", row 0"
                messageOf { builder.finish() } shouldContain "columns of unequal length"
                builder.column("name").append("Ada")
                builder.finish().use { it.column("name").objects() shouldBe listOf("Ada") }
            }
        }

        test("a row of too few or too many values changes nothing") {
            RecordBatchBuilder.of(schema).use { builder ->
                messageOf { builder.appendRow(1L) } shouldContain "1 values for the 2 fields"
                messageOf { builder.appendRow(1L, "Ada", 3) } shouldContain "3 values for the 2 fields"
                builder.finish().use { it.rowCount shouldBe 0 }
            }
        }

        test("a map and a list can be begun, filled and ended by hand") {
            build(ArrowType.map(ArrowType.UTF8, ArrowType.INT32)) {
                val maps = `as`(MapBuilder::class.java)
                maps.startMap()
                maps.keys().append("a")
                maps.values().append(1)
                maps.endMap()
                maps.appendNull()
            }.use { it.objects() shouldBe listOf(listOf("a" to 1), null) }
            build(ArrowType.list(ArrowType.INT32)) {
                val lists = `as`(ListBuilder::class.java)
                lists.startList()
                lists.elements().append(1)
                messageOf { lists.finish() } shouldContain "started and not ended"
                lists.elements().append(2)
                lists.endList()
            }.use { it.objects() shouldBe listOf(listOf(1, 2)) }
        }
    })
