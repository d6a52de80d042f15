package dev.arrowdevice.spi

import dev.arrowdevice.ArrowType
import dev.arrowdevice.FixedSizeBinaryType
import dev.arrowdevice.TypeId
import dev.arrowdevice.internal.type.FormatsTest
import dev.arrowdevice.spi.BufferKind.DATA
import dev.arrowdevice.spi.BufferKind.OFFSETS32
import dev.arrowdevice.spi.BufferKind.OFFSETS64
import dev.arrowdevice.spi.BufferKind.SIZES32
import dev.arrowdevice.spi.BufferKind.SIZES64
import dev.arrowdevice.spi.BufferKind.TYPE_IDS
import dev.arrowdevice.spi.BufferKind.UNION_OFFSETS
import dev.arrowdevice.spi.BufferKind.VALIDITY
import dev.arrowdevice.spi.BufferKind.VARIABLE
import dev.arrowdevice.spi.BufferKind.VIEWS
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

private fun fixed(bits: Int) = Layout(listOf(VALIDITY, DATA), bits, false)

private fun buffers(vararg kinds: BufferKind) = Layout(kinds.toList(), 0, false)

private fun expected(type: ArrowType): Layout =
    when (type.id()) {
        TypeId.NULL, TypeId.RUN_END_ENCODED -> buffers()

        TypeId.BOOL -> fixed(1)

        TypeId.INT8, TypeId.UINT8 -> fixed(8)

        TypeId.INT16, TypeId.UINT16, TypeId.FLOAT16 -> fixed(16)

        TypeId.INT32, TypeId.UINT32, TypeId.FLOAT32, TypeId.DECIMAL32, TypeId.DATE32, TypeId.TIME32,
        TypeId.INTERVAL_MONTHS,
        -> fixed(32)

        TypeId.INT64, TypeId.UINT64, TypeId.FLOAT64, TypeId.DECIMAL64, TypeId.DATE64, TypeId.TIME64, TypeId.TIMESTAMP,
        TypeId.DURATION, TypeId.INTERVAL_DAY_TIME,
        -> fixed(64)

        TypeId.DECIMAL128, TypeId.INTERVAL_MONTH_DAY_NANO -> fixed(128)

        TypeId.DECIMAL256 -> fixed(256)

        TypeId.FIXED_SIZE_BINARY -> fixed((type as FixedSizeBinaryType).byteWidth() * 8)

        TypeId.UTF8, TypeId.BINARY -> buffers(VALIDITY, OFFSETS32, VARIABLE)

        TypeId.LARGE_UTF8, TypeId.LARGE_BINARY -> buffers(VALIDITY, OFFSETS64, VARIABLE)

        TypeId.UTF8_VIEW, TypeId.BINARY_VIEW -> Layout(listOf(VALIDITY, VIEWS), 0, true)

        TypeId.LIST, TypeId.MAP -> buffers(VALIDITY, OFFSETS32)

        TypeId.LARGE_LIST -> buffers(VALIDITY, OFFSETS64)

        TypeId.LIST_VIEW -> buffers(VALIDITY, OFFSETS32, SIZES32)

        TypeId.LARGE_LIST_VIEW -> buffers(VALIDITY, OFFSETS64, SIZES64)

        TypeId.FIXED_SIZE_LIST, TypeId.STRUCT -> buffers(VALIDITY)

        TypeId.SPARSE_UNION -> buffers(TYPE_IDS)

        TypeId.DENSE_UNION -> buffers(TYPE_IDS, UNION_OFFSETS)

        TypeId.DICTIONARY, TypeId.EXTENSION -> error("has the layout of another type")
    }

class LayoutTest :
    FunSpec({
        for ((_, type) in FormatsTest.typesByFormat) {
            test("$type has the buffers that the columnar format lists") {
                type.layout() shouldBe expected(type)
            }
        }

        test("a dictionary has the buffers of its index") {
            val type = ArrowType.dictionary(ArrowType.INT16, ArrowType.UTF8, false)
            type.layout() shouldBe ArrowType.INT16.layout()
        }

        test("an extension has the buffers of its storage") {
            ArrowType.uuid().layout() shouldBe fixed(128)
            ArrowType.json(ArrowType.UTF8_VIEW).layout() shouldBe ArrowType.UTF8_VIEW.layout()
        }

        test("the bit width of the widest fixed-size type does not overflow") {
            val widest = FixedSizeBinaryType.MAX_BYTE_WIDTH
            ArrowType.fixedSizeBinary(widest).layout().bitWidth() shouldBe 2147483640
        }

        test("unions, null and run-end encoded arrays have no validity") {
            val without =
                FormatsTest.typesByFormat
                    .map { (_, type) -> type }
                    .filter { !it.layout().hasValidity() }
                    .map { it.id() }
            without.toSet() shouldBe
                setOf(TypeId.NULL, TypeId.SPARSE_UNION, TypeId.DENSE_UNION, TypeId.RUN_END_ENCODED)
        }

        test("the buffer count leaves variadic buffers out") {
            ArrowType.UTF8_VIEW.layout().bufferCount() shouldBe 2
            ArrowType.UTF8_VIEW.layout().variadic() shouldBe true
            ArrowType.UTF8.layout().bufferCount() shouldBe 3
            ArrowType.NULL.layout().bufferCount() shouldBe 0
        }
    })
