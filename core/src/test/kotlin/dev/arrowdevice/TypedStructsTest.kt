package dev.arrowdevice

import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private fun compile(
    body: String,
    head: String = "",
): String =
    compileKotlin(
        "import dev.arrowdevice.*\n$head\nfun snippet(batch: RecordBatch, stream: DeviceArrayStream) {\n$body\n}\n",
    )

/** Mistakes that the compiler finds: an array in place of a schema, and bare addresses without an opt-in. */
class TypedStructsTest :
    FunSpec({
        context("structs of the right kinds compile") {
            withData(
                "batch.exportTo { array, schema -> println(array.address + schema.address) }",
                "batch.exportTo(CStruct.array(), CStruct.schema())",
                "batch.exportToDevice { array, _ -> println(array.address) }",
                "stream.exportTo { println(it.address) }",
                "importStream { println(it.address) }",
                "importBatch(Validation.FULL) { array, schema -> println(array.address + schema.address) }",
                "importBatch(batch.schema) { println(it.address) }",
                "importDeviceBatch(CStruct.deviceArray(), CStruct.schema())",
            ) { body -> compile(body) shouldBe "" }
        }

        context("structs that are swapped, or of another kind, do not compile") {
            withData(
                "batch.exportTo(CStruct.schema(), CStruct.array())",
                "batch.exportTo(CStruct.deviceArray(), CStruct.schema())",
                "batch.exportToDevice(CStruct.array(), CStruct.schema())",
                "stream.exportTo(CStruct.deviceArrayStream())",
                "importBatch(CStruct.schema(), CStruct.array())",
                "importStream(CStruct.array())",
                "ArrowImport.importArray(CStruct.schema(), CStruct.array())",
                "batch.exportTo { array, schema -> importBatch(schema, array) }",
                "batch.exportTo(1L, 2L)",
            ) { body -> compile(body) shouldContain "error:" }
        }

        context("a bare address needs an opt-in, also if only the Java member is imported") {
            withData(
                nameFn = { it.first },
                "CStruct.arrayAt(1L)" to "",
                "CStruct.schemaAt(1L)" to "",
                "CStruct.deviceArrayAt(1L)" to "",
                "CStruct.arrayStreamAt(1L)" to "",
                "CStruct.deviceArrayStreamAt(1L)" to "",
                "arrayAt(1L)" to "import dev.arrowdevice.CStruct.arrayAt",
                "listOf(1L).map(CStruct::arrayAt)" to "",
                "DlpackStruct.versioned(1L)" to "import dev.arrowdevice.interop.DlpackStruct",
                "legacy(1L)" to "import dev.arrowdevice.interop.DlpackStruct.legacy",
            ) { (body, head) ->
                compile(body, head) shouldContain "takes a bare address"
            }
        }

        test("code that opts in can use structs at bare addresses") {
            compile("@OptIn(DelicateArrowApi::class) fun inner() = CStruct.arrayAt(1L)") shouldBe ""
            compile(
                "@OptIn(DelicateArrowApi::class) fun inner() = DlpackStruct.legacy(1L)",
                "import dev.arrowdevice.interop.DlpackStruct",
            ) shouldBe ""
        }
    })
