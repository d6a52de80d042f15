package dev.arrowdevice.internal.notebooks

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.builder.typeSamples
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.OwnedArrays
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.struct
import dev.arrowdevice.values
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith

private const val SCRIPT = "<script>alert('&amp;\"')</script>"

/** An array whose one buffer is at an address that nobody may read. */
private fun onGpu(): DeviceArray {
    val gpu = Device(DeviceType.CUDA, 0)
    val owner = ReferenceCounted.nothing()
    val values = DeviceBuffer.ofAddress(gpu, 0xDEAD_0000, 4000, owner)
    return OwnedArrays.of(ArrayData(ArrowType.INT32, gpu, 1000, 0, 0, arrayOf(null, values), arrayOf(), null), owner)
}

class NotebookHtmlTest :
    FunSpec({
        extension(MemoryBalance())

        typeSamples.forEach { sample ->
            test("${sample.type} is shown with its values and nulls") {
                arrayOf(sample.type, *sample.values).use { array ->
                    val shown = Shown.of(array)
                    shown.header.single() shouldStartWith sample.type.toString().take(200)
                    shown.cells.size shouldBe sample.values.size
                    shown.notes.single() shouldStartWith "${sample.values.size} value"
                    for ((row, value) in sample.values.withIndex()) {
                        shown.classes(row).single().contains("null") shouldBe (value == null)
                        if (value == null) shown.cells[row].single() shouldBe "null"
                        if (value is Number) shown.cells[row].single() shouldBe value.toString()
                    }
                }
            }
        }

        test("a batch has names, types, the number of nulls, numbers to the right, and a count") {
            recordBatch {
                column<Long>("id") { addAll(1L..1_200L) }
                column<String>("name") { for (i in 1..1_200) if (i == 2) addNull() else add("n$i") }
            }.use { batch ->
                val shown = Shown.of(batch)
                shown.header shouldBe listOf("idint64", "nameutf8, 1 null")
                shown.cells shouldBe List(20) { listOf("${it + 1}", if (it == 1) "null" else "n${it + 1}") }
                shown.classes(0) shouldBe listOf("number", "")
                shown.classes(1) shouldBe listOf("number", "null")
                shown.notes shouldBe listOf("1,200 rows × 2 columns, the first 20 shown")
            }
        }

        test("a value of one row says so, and a batch without columns has its rows") {
            recordBatch { column<Int>("n") { add(1) } }.use { Shown.of(it).notes shouldBe listOf("1 row × 1 column") }
            RecordBatch.of(Schema.of(), emptyList(), 7).use { Shown.of(it).notes shouldBe listOf("7 rows × 0 columns") }
        }

        test("names, values, metadata and messages are text, whatever is in them") {
            val field = Field(SCRIPT, ArrowType.UTF8, true, Metadata.of(SCRIPT, SCRIPT))
            val schema = Schema(listOf(field), Metadata.of(SCRIPT, SCRIPT))
            RecordBatch.of(schema, listOf(arrayOf(ArrowType.UTF8, SCRIPT, "a\u0000\nb"))).use { batch ->
                Shown.of(batch).header.single() shouldStartWith SCRIPT
                Shown.of(batch).cells shouldBe listOf(listOf(SCRIPT), listOf("a  b"))
                listOf(batch, batch.values<String>(0), schema, field).forAll {
                    NotebookHtml.of(it) shouldNotContain "<script"
                }
                val shown = Shown.of(schema)
                shown.header shouldBe listOf("field", "type", "nullable", "metadata")
                shown.cells shouldBe listOf(listOf(SCRIPT, "utf8", "yes", "{$SCRIPT: $SCRIPT}"))
                shown.notes shouldBe listOf("1 field", "metadata: {$SCRIPT: $SCRIPT}")
            }
        }

        test("long values, nested ones and bytes are shortened, and bytes have their number") {
            recordBatch {
                column<String>("text") { add("x".repeat(1_000)) }
                list<Int>("list") { add(List(1_000) { it }) }
                column<ByteArray>("bytes") { add(ByteArray(1_000)) }
            }.use { batch ->
                val (text, list, bytes) = Shown.of(batch).cells.single()
                text shouldBe "x".repeat(200) + "…"
                list shouldBe List(20) { it }.joinToString(prefix = "[", postfix = ", …]")
                bytes shouldBe "0x" + "00".repeat(20) + "… (1000 bytes)"
            }
        }

        test("of many columns the first ones are shown") {
            val type = ArrowType.INT8
            RecordBatch
                .of(
                    Schema.of(List(3_000) { Field.nullable("c$it", type) }),
                    List(3_000) { arrayOf(type, 1) },
                ).use {
                    val shown = Shown.of(it)
                    shown.header.size shouldBe 50
                    shown.notes.single() shouldBe "1 row × 3,000 columns (50 shown)"
                    Shown.of(it.schema).notes shouldBe listOf("3,000 fields, the first 200 shown")
                    NotebookHtml.of(it).length shouldBeLessThan 20_000
                }
        }

        test("memory that the host can't read is shown by name") {
            onGpu().use { array ->
                val shown = Shown.of(array)
                shown.cells shouldBe emptyList()
                shown.notes shouldBe listOf("int32 × 1,000, on CUDA:0; copyTo(Device.CPU) to read")
                RecordBatch.of(Schema.of(Field.nullable("n", ArrowType.INT32)), listOf(array.share())).use {
                    Shown.of(it).header shouldBe listOf("nint32")
                    Shown.of(it).cells shouldBe emptyList()
                    Shown.of(it).notes shouldBe
                        listOf("1,000 rows × 1 column, on CUDA:0; copyTo(Device.CPU) to read")
                    Shown.of(it.values<Int>("n")).notes.single() shouldContain "n: int32 × 1,000, on CUDA:0"
                }
            }
        }

        test("what was closed says so") {
            val batch = recordBatch { column<Int>("n") { add(1) } }
            val column = batch.values<Int>("n")
            val array = batch.column(0)
            batch.close()
            Shown.of(batch).notes shouldBe listOf("1 row × 1 column, released")
            Shown.of(array).notes shouldBe listOf("int32 × 1, released")
            Shown.of(column).notes shouldBe listOf("n: int32 × 1, released")
        }

        test("fields of structs have the nulls of the structs around them") {
            recordBatch {
                val place = struct("place") { column<String>("city") }
                place.row("Ulm")
                place.addNull()
            }.use {
                Shown.of(it.struct("place")).cells shouldBe listOf(listOf("{city: Ulm}"), listOf("null"))
                Shown.of(it.struct("place").values<String>("city")).cells shouldBe listOf(listOf("Ulm"), listOf("null"))
            }
            recordBatch { column<Int>("n") { addAll(listOf(1, 2)) } }.use {
                Shown.of(it.values<Int>("n").requireNoNulls()).cells shouldBe listOf(listOf("1"), listOf("2"))
            }
        }

        test("a device has its description, and one without a runtime says so") {
            val shown = Shown.of(Device.CPU)
            shown.cells.single().first() shouldBe "CPU"
            shown.cells.single().last() shouldBe "yes"
            Shown.of(Device(DeviceType.VPI, 3)).notes.single() shouldContain "VPI:3: no runtime is registered"
        }

        test("other values are refused") {
            shouldThrow<IllegalArgumentException> { NotebookHtml.of("text") }.message shouldContain "java.lang.String"
        }
    })
