package dev.arrowdevice.arrowjava

import dev.arrowdevice.ArrowType
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.IntVector
import org.apache.arrow.vector.VarCharVector
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.complex.UnionVector
import org.apache.arrow.vector.types.Types.MinorType

/** Who owns what of Arrow Java's that we read. */
class BorrowingTest :
    FunSpec({
        test("a batch has the memory of the vectors") {
            exchange { allocator ->
                peopleOfArrowJava(allocator, 1, 100).use { root ->
                    root.toRecordBatch().use { batch ->
                        val names = batch.column("name").data
                        (0..2).map { names.buffer(it)!!.address } shouldBe
                            root.getVector("name").fieldBuffers.map { it.memoryAddress() }
                        batch.schema shouldBe people
                        read(batch) shouldBe rows(1, 100)
                    }
                }
            }
        }

        test("a batch outlives its root") {
            exchange { allocator ->
                val batch = peopleOfArrowJava(allocator, 1, 100).use { it.toRecordBatch() }
                read(batch) shouldBe rows(1, 100)
                onOtherThread(batch::close)
                allocator.allocatedMemory shouldBe 0
            }
        }

        test("a root outlives its batch") {
            exchange { allocator ->
                val root = peopleOfArrowJava(allocator, 1, 100)
                root.toRecordBatch().close()
                read(root) shouldBe rows(1, 100)
                onOtherThread(root::close)
            }
        }

        test("a batch stays as it is when its root is allocated anew") {
            exchange { allocator ->
                peopleOfArrowJava(allocator, 1, 9).use { root ->
                    root.toRecordBatch().use { batch ->
                        root.allocateNew()
                        root.rowCount = 9
                        read(batch) shouldBe rows(1, 9)
                    }
                }
            }
        }

        test("an allocator that is closed too early complains, and the batch's release harms nothing") {
            val allocator = RootAllocator()
            val batch = peopleOfArrowJava(allocator, 1, 9).use { it.toRecordBatch() }
            shouldThrow<IllegalStateException> { allocator.close() }.message shouldContain "Memory was leaked"
            batch.close()
            batch.isLive shouldBe false
        }

        test("values that were not set at the end of a vector are null") {
            exchange { allocator ->
                VarCharVector("text", allocator).use { vector ->
                    vector.setSafe(1, "x".encodeToByteArray())
                    vector.valueCount = 5
                    vector.toDeviceArray().use { array ->
                        List(5) { array.getObject(it.toLong()) } shouldBe listOf(null, "x", null, null, null)
                    }
                }
            }
        }

        test("vectors that never had memory are empty arrays") {
            exchange { allocator ->
                VarCharVector("text", allocator).use { vector ->
                    vector.toDeviceArray().use { it.type to it.length shouldBe (ArrowType.UTF8 to 0L) }
                }
                VectorSchemaRoot.create(people.toArrowJava(allocator), allocator).use { root ->
                    root.toRecordBatch().use { it.rowCount shouldBe 0 }
                }
            }
        }

        test("slices that arrow-java makes are read") {
            exchange { allocator ->
                peopleOfArrowJava(allocator, 1, 30).use { root ->
                    root.slice(3, 20).use { slice ->
                        slice.toRecordBatch().use { read(it) shouldBe rows(4, 20) }
                    }
                }
            }
        }

        test("a union that arrow-java's writer wrote has the type ids of the schema") {
            val union =
                ArrowType.sparseUnion(
                    listOf(5, 7),
                    listOf(
                        dev.arrowdevice.Field.nullable("int", ArrowType.INT32),
                        dev.arrowdevice.Field.nullable("bigint", ArrowType.INT64),
                    ),
                )
            exchange { allocator ->
                val schema = dev.arrowdevice.Schema.of(dev.arrowdevice.Field.nullable("u", union))
                VectorSchemaRoot.create(schema.toArrowJava(allocator), allocator).use { root ->
                    val vector = root.getVector(0) as UnionVector
                    vector.allocateNew()
                    vector.setType(0, MinorType.BIGINT)
                    vector.bigIntVector.setSafe(0, 17L)
                    vector.setType(1, MinorType.INT)
                    vector.intVector.setSafe(1, 4)
                    root.rowCount = 2
                    root.toRecordBatch().use { batch ->
                        batch.schema shouldBe schema
                        read(batch) shouldBe listOf(listOf(17L), listOf(4))
                    }
                }
            }
        }

        test("vectors that do not fit their root or their type are refused") {
            exchange { allocator ->
                IntVector("id", allocator).use { vector ->
                    vector.setSafe(0, 1)
                    vector.valueCount = 1
                    shouldThrow<IllegalArgumentException> { vector.toDeviceArray(ArrowType.UTF8) }
                    val root = VectorSchemaRoot(listOf(vector.field), listOf(vector), 2)
                    shouldThrow<IllegalArgumentException> { root.toRecordBatch() }.message shouldContain
                        "\"id\" has 1 values"
                }
            }
        }
    })
