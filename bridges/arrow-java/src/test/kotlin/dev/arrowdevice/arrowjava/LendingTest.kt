package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.arrow.memory.OutOfMemoryException
import org.apache.arrow.vector.IntVector
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider

/** Who owns what of ours that Arrow Java reads. */
class LendingTest :
    FunSpec({
        test("a root has the memory of the batch") {
            exchange { allocator ->
                people(1, 100).use { batch ->
                    batch.toVectorSchemaRoot(allocator).use { root ->
                        val names = batch.column("name").data
                        val theirs = root.getVector("name").fieldBuffers
                        theirs.map { it.memoryAddress() } shouldBe (0..2).map { names.buffer(it)!!.address }
                        root.getVector("id").dataBufferAddress shouldBe
                            batch
                                .column("id")
                                .data
                                .buffer(1)!!
                                .address
                        read(root) shouldBe rows(1, 100)
                    }
                }
            }
        }

        test("a root outlives its batch") {
            exchange { allocator ->
                val root = people(1, 100).use { it.toVectorSchemaRoot(allocator) }
                read(root) shouldBe rows(1, 100)
                onOtherThread(root::close)
            }
        }

        test("a batch outlives its root") {
            exchange { allocator ->
                val batch = people(1, 100)
                batch.toVectorSchemaRoot(allocator).close()
                allocator.allocatedMemory shouldBe 0
                read(batch) shouldBe rows(1, 100)
                onOtherThread(batch::close)
            }
        }

        test("a vector that leaves its root keeps the memory") {
            exchange { allocator ->
                val root = people(1, 9).use { it.toVectorSchemaRoot(allocator) }
                val names = root.getVector("name").getTransferPair(allocator)
                names.transfer()
                root.close()
                names.to.use { it.getObject(3).toString() shouldBe "person 4" }
            }
        }

        test("the allocator counts the bytes that the vectors see, once") {
            exchange { allocator ->
                val ids = Schema.of(Field.nullable("id", ArrowType.INT64))
                batchOf(ids, List(100) { if (it == 7) null else it.toLong() }).use { batch ->
                    batch.toVectorSchemaRoot(allocator).use { allocator.allocatedMemory shouldBe 800 + 13 }
                    batch.slice(8, 10).use { slice ->
                        slice.toVectorSchemaRoot(allocator).use { allocator.allocatedMemory shouldBe 80 + 2 }
                    }
                }
            }
        }

        test("validity bits that a batch does not have are each vector's own, in one allocation") {
            val two = Schema.of(Field.notNull("a", ArrowType.INT32), Field.notNull("b", ArrowType.INT32))
            exchange { allocator ->
                val batch =
                    RecordBatchBuilder.of(two).use { builder ->
                        repeat(9) { builder.appendRow(it, it) }
                        builder.finish()
                    }
                batch.use { it.toVectorSchemaRoot(allocator) }.use { root ->
                    allocator.allocatedMemory shouldBe 2 * 36 + 2 * 8
                    val (a, b) = root.fieldVectors
                    (a as IntVector).setNull(3)
                    List(9, a::isNull) shouldBe List(9) { it == 3 }
                    List(9, b::isNull) shouldBe List(9) { false }
                }
            }
        }

        test("an allocator's limit is honoured, and nothing is lost") {
            exchange(limit = 4_000) { allocator ->
                people(1, 1_000).use { batch ->
                    val failure = shouldThrow<OutOfMemoryException> { batch.toVectorSchemaRoot(allocator) }
                    failure.message shouldContain "Unable to allocate buffer of size"
                    allocator.allocatedMemory shouldBe 0
                    read(batch) shouldBe rows(1, 1_000)
                }
            }
        }

        test("a limit that only a copy hits is honoured, and nothing is lost") {
            val bits = Schema.of(Field.nullable("bit", ArrowType.BOOL))
            exchange(limit = 2 * 126L) { allocator ->
                batchOf(bits, List(1_008) { it % 2 == 0 }).use { batch ->
                    batch.slice(1, 1_000).use { slice ->
                        shouldThrow<OutOfMemoryException> { slice.toVectorSchemaRoot(allocator) }
                        shouldThrow<OutOfMemoryException> { slice.column(0).toFieldVector("bit", allocator) }
                    }
                    allocator.allocatedMemory shouldBe 0
                }
            }
        }

        test("a load that fails leaves the root empty") {
            exchange(limit = 6_000) { allocator ->
                VectorSchemaRoot.create(people.toArrowJava(allocator), allocator).use { root ->
                    people(1, 10).use { it.loadInto(root) }
                    people(1, 1_000).use { batch -> shouldThrow<OutOfMemoryException> { batch.loadInto(root) } }
                    root.rowCount shouldBe 0
                    allocator.allocatedMemory shouldBe 0
                    people(11, 10).use { it.loadInto(root) }
                    read(root) shouldBe rows(11, 10)
                }
            }
        }

        test("what arrow-java has no vectors for is refused, with the field's name") {
            val twice = ArrowType.struct(Field.nullable("a", ArrowType.INT8), Field.nullable("a", ArrowType.INT8))
            exchange { allocator ->
                val none = ArrowType.fixedSizeBinary(0)
                for (type in listOf(ArrowType.decimal32(5, 2), ArrowType.decimal64(9, 2), none, twice)) {
                    RecordBatchBuilder.of(Schema.of(Field.nullable("odd", type))).use { builder ->
                        builder.finish().use { batch ->
                            shouldThrow<UnsupportedOperationException> { batch.toVectorSchemaRoot(allocator) }
                                .message shouldContain "\"odd\""
                        }
                    }
                }
            }
        }

        test("a dictionary needs a provider, which then has it") {
            val colours = Schema.of(Field.nullable("colour", ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8)))
            exchange { allocator ->
                batchOf(colours, listOf("red", null, "blue", "red")).use { batch ->
                    shouldThrow<IllegalArgumentException> { batch.toVectorSchemaRoot(allocator) }
                        .message shouldContain "\"colour\""
                    MapDictionaryProvider().use { provider ->
                        batch.toVectorSchemaRoot(allocator, provider).use { root ->
                            val id =
                                root
                                    .getVector(0)
                                    .field.dictionary.id
                            provider
                                .lookup(
                                    id,
                                ).vector
                                .let { List(it.valueCount) { i -> "${it.getObject(i)}" } } shouldBe
                                listOf("red", "blue")
                            root.toRecordBatch(provider).use { it.valuesEqual(batch) shouldBe true }
                            shouldThrow<IllegalArgumentException> { root.toRecordBatch() }
                        }
                    }
                }
            }
        }

        test("a root and a batch of other columns are refused") {
            exchange { allocator ->
                VectorSchemaRoot.create(Schema.of(people.field(0)).toArrowJava(allocator), allocator).use { root ->
                    people(1, 2).use { batch -> shouldThrow<IllegalArgumentException> { batch.loadInto(root) } }
                }
                val wider = Schema.of(Field.notNull("id", ArrowType.INT64), people.field(1))
                VectorSchemaRoot.create(wider.toArrowJava(allocator), allocator).use { root ->
                    people(1, 2).use { batch ->
                        shouldThrow<IllegalArgumentException> { batch.loadInto(root) }.message shouldContain "\"id\""
                    }
                    allocator.allocatedMemory shouldBe 0
                }
            }
        }
    }) {
    private companion object {
        fun batchOf(
            schema: Schema,
            values: List<Any?>,
        ): RecordBatch =
            RecordBatchBuilder.of(schema).use { builder ->
                values.forEach { builder.appendRow(it) }
                builder.finish()
            }
    }
}
