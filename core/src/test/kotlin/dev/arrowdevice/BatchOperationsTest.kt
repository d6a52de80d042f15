package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private fun people() =
    recordBatch(Schema(listOf(), Metadata.of("made", "here"))) {
        column<Long>("id") { addAll(0L until 5L) }
        column<String>("name") { addAll(listOf("Ada", null, "Alan", "Grace", "Kurt")) }
        column<Int>("age") { addAll(listOf(36, 50, 41, null, 71)) }
    }

private fun RecordBatch.ids(): List<Long?> = values<Long>("id").toList()

class BatchOperationsTest :
    FunSpec({
        extension(MemoryBalance())

        test("select has the named columns in their order, with the schema's metadata, in the same memory") {
            people().use { batch ->
                val buffers = ArrowCounters.now().hostBuffers()
                batch.slice(1, 3).use { slice ->
                    slice.select("age", "id").use {
                        ArrowCounters.now().hostBuffers() shouldBe buffers
                        it.schema.names() shouldBe listOf("age", "id")
                        it.schema.metadata() shouldBe batch.schema.metadata()
                        it.ids() shouldBe listOf(1L, 2L, 3L)
                    }
                }
                batch.select(0, 0).use { it.schema.names() shouldBe listOf("id", "id") }
                batch.select(*arrayOf<String>()).use { it.rowCount shouldBe 5 }
            }
        }

        test("drop has the other columns") {
            people().use { batch -> batch.drop("name").use { it.schema.names() shouldBe listOf("id", "age") } }
        }

        test("rename exchanges names at once and changes nothing else") {
            people().use { batch ->
                batch.rename("name", "first").use { it.schema.names() shouldBe listOf("id", "first", "age") }
                batch.rename(mapOf("id" to "age", "age" to "id")).use {
                    it.schema.names() shouldBe listOf("age", "name", "id")
                    it.values<Long>(0).toList() shouldBe batch.ids()
                }
            }
        }

        test("withColumn moves an array behind the columns, or in place of one of the same name") {
            people().use { batch ->
                batch.slice(2, 2).use { slice ->
                    slice.withColumn("score", deviceArrayOf(1.5, 2.5)).use {
                        it.schema.names() shouldBe listOf("id", "name", "age", "score")
                        it.values<Double>("score").toList() shouldBe listOf(1.5, 2.5)
                        it.ids() shouldBe listOf(2L, 3L)
                    }
                    slice.withColumn("name", deviceArrayOf("x", "y")).use {
                        it.schema.names() shouldBe listOf("id", "name", "age")
                        it.values<String>("name").toList() shouldBe listOf("x", "y")
                    }
                }
            }
            recordBatch {}.use { none ->
                none.withColumn("a", deviceArray<Int> {}).use { it.schema.names() shouldBe listOf("a") }
            }
        }

        test("a column that doesn't fit remains the caller's, who is told why") {
            people().use { batch ->
                deviceArrayOf(1, 2).use { column ->
                    shouldThrow<IllegalArgumentException> { batch.withColumn("x", column) }.message shouldBe
                        "column \"x\" has 2 rows, the batch 5"
                    column.isLive shouldBe true
                }
                deviceArrayOf(1, null, 3, 4, 5).use { column ->
                    val field = Field.notNull("x", ArrowType.INT32)
                    shouldThrow<IllegalArgumentException> { batch.withColumn(field, column) }.message shouldBe
                        "column \"x\" is declared not nullable and has 1 nulls"
                    column.close()
                    shouldThrow<IllegalStateException> { batch.withColumn("x", column) }.message shouldContain
                        "withColumn"
                }
            }
        }

        test("a name that no column has, or two have, is refused with the names that there are") {
            people().use { batch ->
                listOf<Pair<String, (String) -> RecordBatch>>(
                    "select" to { name -> batch.select(name) },
                    "drop" to { name -> batch.drop(name) },
                    "rename" to { name -> batch.rename(name, "x") },
                ).forEach { (operation, call) ->
                    shouldThrow<IllegalArgumentException> { call("nam") }.message shouldBe
                        "$operation: no column is named \"nam\"; there are: id, name, age"
                }
                shouldThrow<IndexOutOfBoundsException> { batch.select(3) }.message shouldBe
                    "select: column 3 of a batch of 3"
                batch.rename("age", "id").use { twice ->
                    shouldThrow<IllegalArgumentException> { twice.select("id") }.message shouldContain "more than one"
                }
            }
        }

        test("head and tail are slices, and have no more rows than there are") {
            people().use { batch ->
                batch.head(2).use { it.ids() shouldBe listOf(0L, 1L) }
                batch.tail(2).use { it.ids() shouldBe listOf(3L, 4L) }
                batch.head(9).use { it.ids() shouldBe batch.ids() }
                batch.tail(9).use { it.ids() shouldBe batch.ids() }
                batch.column("id").head(1).use { it.toLongArray() shouldBe longArrayOf(0) }
                batch.column("id").tail(0).use { it.length shouldBe 0 }
                shouldThrow<IllegalArgumentException> { batch.head(-1) }.message shouldBe "head: a count of -1"
                shouldThrow<IllegalArgumentException> { batch.tail(-1) }.message shouldBe "tail: a count of -1"
            }
        }

        test("filter keeps the rows for which a mask, or a predicate over columns, is true") {
            people().use { batch ->
                deviceArrayOf(true, false, null, true, true).use { mask ->
                    batch.filter(mask).use { it.ids() shouldBe listOf(0L, 3L, 4L) }
                }
                val age = batch.column("age")
                batch.filter { row -> !age.isNull(row) && age.getInt(row) > 40 }.use {
                    it.ids() shouldBe listOf(1L, 2L, 4L)
                    it.values<String>("name").toList() shouldBe listOf(null, "Alan", "Kurt")
                }
            }
        }

        test("a filter that keeps every row copies nothing") {
            people().use { batch ->
                val buffers = ArrowCounters.now().hostBuffers()
                batch.filter { true }.use { ArrowCounters.now().hostBuffers() shouldBe buffers }
            }
        }

        test("a predicate that throws leaves nothing behind") {
            people().use { batch ->
                shouldThrow<IllegalStateException> { batch.filter { row -> check(row < 3) { "no" }.let { true } } }
                    .message shouldBe "no"
            }
        }

        test("take has the rows of the indices, and a row of nulls for a null index") {
            people().use { batch ->
                batch.take(4, 0, 0).use { it.ids() shouldBe listOf(4L, 0L, 0L) }
                deviceArrayOf<Int>(1, null, 4).use { indices ->
                    batch.take(indices).use {
                        it.ids() shouldBe listOf(1L, null, 4L)
                        it.asStruct().nullCount shouldBe 0
                    }
                }
            }
        }

        test("a null index is refused where a column is not nullable") {
            val strict = Schema.of(Field.notNull("id", ArrowType.INT64))
            recordBatch(strict) { column<Long>("id") { add(1L) } }.use { batch ->
                deviceArrayOf<Int>(0, null).use { indices ->
                    shouldThrow<IllegalArgumentException> { batch.take(indices) }.message shouldBe
                        "take: a null index makes a row of nulls, and column \"id\" is declared not nullable"
                }
            }
        }

        test("indices are checked also where there is no column") {
            people().use { batch ->
                batch.select(*intArrayOf()).use { none ->
                    deviceArrayOf(0, 5).use { indices ->
                        shouldThrow<IndexOutOfBoundsException> { none.take(indices) }
                    }
                    none.filter { it % 2 == 0L }.use { it.rowCount shouldBe 3 }
                }
            }
        }

        test("concat has the rows of all batches, and the metadata of the first") {
            people().use { batch ->
                batch.tail(2).use { tail ->
                    RecordBatch.concat(listOf(batch, tail)).use {
                        it.ids() shouldBe listOf<Long>(0, 1, 2, 3, 4, 3, 4)
                        it.schema shouldBe batch.schema
                    }
                }
                RecordBatch.concat(listOf(batch)).use { it.valuesEqual(batch) shouldBe true }
            }
        }

        test("concat of unequal batches names the first difference") {
            people().use { batch ->
                recordBatch { column<Long>("id") { add(1) } }.use { other ->
                    shouldThrow<IllegalArgumentException> { RecordBatch.concat(listOf(batch, other)) }.message shouldBe
                        "concat: batch 1 has 1 columns, and batch 0 has 3"
                }
                batch.rename("age", "years").use { other ->
                    shouldThrow<IllegalArgumentException> { RecordBatch.concat(listOf(batch, other)) }.message shouldBe
                        "concat: column 2 of batch 1 is \"years\": int32, and of batch 0 \"age\": int32; " +
                        "fields, with their nullability and metadata, must be equal"
                }
                shouldThrow<IllegalArgumentException> { RecordBatch.concat(listOf()) }.message shouldBe
                    "concat: there is no array, so there is no type"
            }
        }

        test("each operation refuses a batch that was closed") {
            val batch = people()
            batch.close()
            listOf<Pair<String, (RecordBatch) -> AutoCloseable>>(
                "select" to { it.select("id") },
                "rename" to { it.rename("id", "x") },
                "slice" to { it.head(1) },
                "filter" to { it.filter { true } },
                "take" to { it.take(0) },
                "concat" to { RecordBatch.concat(listOf(it, it)) },
            ).forEach { (operation, call) ->
                shouldThrow<IllegalStateException> { call(batch) }.message shouldContain "$operation: "
            }
            deviceArrayOf(1, 2, 3, 4, 5).use { column ->
                shouldThrow<IllegalStateException> { batch.withColumn("x", column) }.message shouldContain
                    "withColumn: "
                column.isLive shouldBe true
            }
        }
    })
