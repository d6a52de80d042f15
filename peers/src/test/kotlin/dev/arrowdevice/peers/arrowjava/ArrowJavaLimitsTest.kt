package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import org.apache.arrow.vector.UuidVector
import org.apache.arrow.vector.extension.UuidType
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry
import java.math.BigDecimal
import java.util.UUID

/**
 * What Arrow Java 19 does not do, as far as users of both libraries notice it. If one of these tests fails, the docs
 * can say less.
 */
class ArrowJavaLimitsTest :
    FunSpec({
        val numbers = Field.nullable("n", ArrowType.INT32)

        test("it ignores the offset of an array, and reads the values before a slice") {
            withArrowJava {
                build(numbers, (0..9).toList()).use { array ->
                    take(array.slice(3, 4), numbers).use { values(it) shouldBe listOf(0, 1, 2, 3) }
                    take(array.slice(3, 4).use { it.copyTo(Device.CPU) }, numbers).use {
                        values(it) shouldBe listOf(3, 4, 5, 6)
                    }
                }
            }
        }

        test("it ignores the offset of a column, so a slice of a batch must be copied") {
            withArrowJava {
                RecordBatch.of(Schema.of(numbers), listOf(build(numbers, (0..9).toList()))).use { batch ->
                    take(batch.slice(3, 4)).use { values(it.getVector(0)) shouldBe listOf(0, 1, 2, 3) }
                    take(batch.slice(3, 4).use { it.copyTo(Device.CPU) }).use {
                        values(it.getVector(0)) shouldBe listOf(3, 4, 5, 6)
                    }
                }
            }
        }

        test("a slice with offset 0 is read correctly") {
            withArrowJava {
                build(numbers, (0..9).toList()).use { array ->
                    take(array.slice(0, 4), numbers).use { values(it) shouldBe listOf(0, 1, 2, 3) }
                }
            }
        }

        context("it reads decimals of 32 and 64 bits as 128 bits, with wrong values") {
            withData(nameFn = { "$it" }, ArrowType.decimal32(9, 2), ArrowType.decimal64(18, 2)) { type ->
                withArrowJava {
                    val field = Field.nullable("d", type)
                    val one = BigDecimal("1.25")
                    take(build(field, List(8) { one }), field).use { vector ->
                        vector.valueCount shouldBe 8
                        vector.getObject(0) shouldNotBe one
                    }
                }
            }
        }

        test("it keeps the last value of a duplicate metadata key") {
            withArrowJava {
                val field = numbers.withMetadata(Metadata.of("key", "first", "key", "last"))
                take(build(field, listOf(1)), field).use { it.field.metadata shouldBe mapOf("key" to "last") }
            }
        }

        test("both libraries read the same values of a registered extension type") {
            ExtensionTypeRegistry.register(UuidType.INSTANCE)
            val field = Field.nullable("id", ArrowType.uuid())
            val uuid = UUID.fromString("01234567-89ab-cdef-8123-456789abcdef")
            withArrowJava {
                take(build(field, listOf(uuid, null)), field).use { vector ->
                    (vector as UuidVector).getObject(0) shouldBe uuid
                    vector.isNull(1) shouldBe true
                    val (back, array) = give(vector)
                    array.use {
                        back shouldBe field
                        valuesOf(it) shouldBe listOf(uuid, null)
                    }
                }
            }
        }
    })
