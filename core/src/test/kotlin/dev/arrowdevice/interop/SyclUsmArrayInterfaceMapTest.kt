package dev.arrowdevice.interop

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

private val minimal =
    mapOf(
        "shape" to listOf(2, 3),
        "typestr" to "<f4",
        "data" to listOf(4096L, true),
        "version" to 1,
        "syclobj" to "level_zero:gpu:0",
    )

/** The sentences of the specification (in the tests' names) about the dictionary itself. */
class SyclUsmArrayInterfaceMapTest :
    FunSpec({
        test("\"__sycl_usm_array_interface__ attribute which returns a Python dictionary with the following fields\"") {
            SyclUsmArrayInterface.ATTRIBUTE shouldBe "__sycl_usm_array_interface__"
            for (key in minimal.keys) {
                shouldThrow<IllegalArgumentException> {
                    SyclUsmArrayInterface.fromMap(
                        minimal - key,
                    )
                }.message shouldContain
                    "the key \"$key\" is missing"
            }
            val all =
                minimal + mapOf("typedescr" to listOf(listOf("", "<f4")), "strides" to listOf(3, 1), "offset" to 5)
            SyclUsmArrayInterface.fromMap(all).toMap().keys shouldBe all.keys
        }

        test("shape: \"tuple of integers\"") {
            SyclUsmArrayInterface.fromMap(minimal).shape() shouldBe listOf(2L, 3L)
        }

        test("typestr: \"string\", of numbers and booleans") {
            for (type in listOf("|b1", "|i1", "<u8", "<f2", "<c16")) {
                SyclUsmArrayInterface.fromMap(minimal + ("typestr" to type)).typestr() shouldBe type
            }
            for (type in listOf("|O", "|V4", "<M8[ns]", "|S4", "<t1")) {
                shouldThrow<IllegalArgumentException> {
                    SyclUsmArrayInterface.fromMap(minimal + ("typestr" to type))
                }.message shouldContain "kinds b i u f c"
            }
        }

        test("typedescr: \"a list of tuples\"") {
            val parts = listOf(listOf("re", "<f4"), listOf("im", "<f4"))
            val read = SyclUsmArrayInterface.fromMap(minimal + mapOf("typestr" to "<c8", "typedescr" to parts))
            read.typedescr() shouldBe parts
            read.toMap()["typedescr"] shouldBe parts
        }

        test("\"data[0] is to be understood as static_cast<size_t>(usm_ptr)\"") {
            SyclUsmArrayInterface.fromMap(minimal).data() shouldBe 4096
        }

        test("\"data[1] is a boolean value indicating whether the array is read-only, or not\"") {
            SyclUsmArrayInterface.fromMap(minimal).readOnly() shouldBe true
            SyclUsmArrayInterface.fromMap(minimal + ("data" to listOf(4096, false))).readOnly() shouldBe false
        }

        test("read as dpctl's, the true of memory objects, one dimension of bytes, says nothing; of others it does") {
            fun readOnly(vararg change: Pair<String, Any>) =
                SyclUsmArrayInterface.fromMapOfDpctl(minimal + change).readOnly()
            readOnly("shape" to listOf(64), "typestr" to "|u1") shouldBe false
            readOnly("shape" to listOf(64), "typestr" to "<u2") shouldBe true
            readOnly("typestr" to "|u1") shouldBe true
        }

        test("strides: \"tuple\", in elements; None or absent is C-contiguous") {
            SyclUsmArrayInterface.fromMap(minimal + ("strides" to listOf(6, 2))).strides() shouldBe listOf(6L, 2L)
            SyclUsmArrayInterface.fromMap(minimal).strides() shouldBe null
            SyclUsmArrayInterface.fromMap(minimal + ("strides" to null)).strides() shouldBe null
        }

        test("offset: \"int\", in elements; 0 if absent") {
            SyclUsmArrayInterface.fromMap(minimal + ("offset" to 5)).offset() shouldBe 5
            SyclUsmArrayInterface.fromMap(minimal).offset() shouldBe 0
        }

        test("version: \"int\", exactly 1") {
            SyclUsmArrayInterface.fromMap(minimal).version() shouldBe 1
            for (version in listOf(0, 2, 1L + (1L shl 32))) {
                shouldThrow<IllegalArgumentException> {
                    SyclUsmArrayInterface.fromMap(minimal + ("version" to version))
                }.message shouldContain "version $version is not known"
            }
        }

        context("syclobj: \"a Python object indicating context to which USM pointer is bound\"") {
            withData(
                nameFn = { it.first },
                Triple("filter selector string", "opencl:cpu", SyclObject.filter("opencl:cpu")),
                Triple("an explicitly given context", SyclObject.context(7), SyclObject("SyclContextRef", 7)),
                Triple(
                    "named Python capsule with name \"SyclContextRef\"",
                    mapOf("name" to "SyclContextRef", "pointer" to 7),
                    SyclObject.context(7),
                ),
                Triple("use context stored in the queue", SyclObject.queue(9), SyclObject("SyclQueueRef", 9)),
                Triple(
                    "named Python capsule with name \"SyclQueueRef\"; any object with method _get_capsule()",
                    mapOf("name" to "SyclQueueRef", "pointer" to 9),
                    SyclObject.queue(9),
                ),
            ) { (_, given, expected) ->
                val read = SyclUsmArrayInterface.fromMap(minimal + ("syclobj" to given))
                read.syclobj() shouldBe expected
                SyclUsmArrayInterface.fromMap(read.toMap()) shouldBe read
            }
        }

        test("a capsule of another name or of NULL, and an empty filter, are refused") {
            shouldThrow<IllegalArgumentException> { SyclObject("used_SyclQueueRef", 9) }.message shouldContain
                "a capsule named \"used_SyclQueueRef\""
            shouldThrow<IllegalArgumentException> { SyclObject.queue(0) }.message shouldContain "a capsule of NULL"
            shouldThrow<IllegalArgumentException> { SyclObject.filter("") }.message shouldContain "empty"
        }

        test("\"dictionary keys align with those of NumPy Array Interface and CUDA Array Interface\"") {
            val cuda = minimal - "syclobj" + ("version" to 2)
            CudaArrayInterface.fromMap(cuda).shape() shouldBe SyclUsmArrayInterface.fromMap(minimal).shape()
        }

        context("bad input is one clear error") {
            withData(
                nameFn = { (change, message) -> "$change: $message" },
                mapOf("syclobj" to 5) to "syclobj: expected a filter selector string",
                mapOf("syclobj" to "") to "empty filter selector",
                mapOf("syclobj" to mapOf("name" to "used_dltensor", "pointer" to 7)) to
                    "capsule named \"used_dltensor\"",
                mapOf("syclobj" to mapOf("name" to "SyclQueueRef", "pointer" to 0)) to "capsule of NULL",
                mapOf("syclobj" to mapOf("name" to "SyclQueueRef")) to "the key \"pointer\" is missing",
                mapOf("offset" to "1") to "offset: expected an integer",
                mapOf("offset" to Long.MAX_VALUE) to "offset 9223372036854775807 leads out",
                mapOf("offset" to -2000) to "lead out of the address space",
                mapOf("strides" to listOf(Long.MAX_VALUE, 1)) to "overflows",
                mapOf("strides" to listOf(1)) to "1 strides",
                mapOf("shape" to listOf(-1)) to "shape[0] is -1",
                mapOf("shape" to "2") to "shape: expected a tuple, found the string \"2\"",
                mapOf("shape" to listOf(2.0, 3)) to "shape[0]: expected an integer, found 2.0 of Double",
                mapOf("shape" to listOf(Long.MAX_VALUE, 2)) to "more elements than 64 bits",
                mapOf("shape" to listOf(Long.MAX_VALUE / 2)) to "more elements than 64 bits",
                mapOf("typestr" to 4) to "typestr: expected a string",
                mapOf("typestr" to "f4") to "position 0",
                mapOf("data" to 4096) to "data: expected a tuple",
                mapOf("data" to listOf(4096)) to "data has 1 parts",
                mapOf("data" to listOf("x", false)) to "data[0]: expected an integer",
                mapOf("data" to listOf(4096, 0)) to "data[1]: expected a bool",
                mapOf("data" to listOf(-1, false)) to "data[0] is -1",
                mapOf("version" to "1") to "version: expected an integer",
                mapOf("strides" to 4) to "strides: expected a tuple",
                mapOf("typedescr" to listOf(listOf("", "<f8"))) to "descr has 8 bytes",
                mapOf("data" to listOf(0, false)) to "the data pointer is 0",
            ) { (change, message) ->
                shouldThrow<IllegalArgumentException> {
                    SyclUsmArrayInterface.fromMap(
                        minimal + change,
                    )
                }.message shouldContain
                    message
            }
        }
    })
