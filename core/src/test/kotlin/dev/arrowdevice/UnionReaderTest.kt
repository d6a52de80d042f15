package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class UnionReaderTest :
    FunSpec({
        extension(MemoryBalance())

        test("the offset of a union is that of its value in the child") {
            val fields = listOf(Field.nullable("i", ArrowType.INT32), Field.nullable("s", ArrowType.UTF8))
            val values = arrayOf<Any>(1, "a", 2, "b")
            arrayOf(ArrowType.denseUnion(listOf(5, 7), fields), *values).use { array ->
                array.slice(1, 3).use { slice ->
                    slice.borrow { reader ->
                        List(3) { reader.unionOffset(it.toLong()) } shouldBe listOf(0L, 1L, 1L)
                        reader.child(reader.unionChild(2)).getString(reader.unionOffset(2)) shouldBe "b"
                        shouldThrow<IndexOutOfBoundsException> { reader.unionOffset(3) }
                        shouldThrow<UnsupportedOperationException> { reader.runIndex(0) }
                    }
                }
            }
            arrayOf(ArrowType.sparseUnion(listOf(5, 7), fields), *values).use { array ->
                array.slice(1, 3).use { slice ->
                    slice.borrow { reader ->
                        List(3) { reader.unionOffset(it.toLong()) } shouldBe listOf(0L, 1L, 2L)
                        reader.child(reader.unionChild(2)).getString(reader.unionOffset(2)) shouldBe "b"
                        shouldThrow<IndexOutOfBoundsException> { reader.unionOffset(3) }
                    }
                }
            }
            arrayOf(ArrowType.INT32, 1).use { array ->
                shouldThrow<UnsupportedOperationException> { array.borrow { it.unionOffset(0) } }
            }
        }
    })
