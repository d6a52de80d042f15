package dev.arrowdevice.interop

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.math.BigInteger

private val minimal =
    mapOf("shape" to listOf(2, 3), "typestr" to "<f4", "data" to listOf(4096L, false), "version" to 2)

/** The sentences of version 2 (the specification in the tests' names), and of version 3, about the dictionary itself. */
class CudaArrayInterfaceMapTest :
    FunSpec({
        test("\"returns a dictionary that must contain the following entries\": shape, typestr, data, version") {
            val read = CudaArrayInterface.fromMap(minimal)
            read.shape() shouldContainExactly listOf(2L, 3L)
            read.typestr() shouldBe "<f4"
            read.data() shouldBe 4096
            read.readOnly() shouldBe false
            read.version() shouldBe 2
            for (key in minimal.keys) {
                shouldThrow<IllegalArgumentException> {
                    CudaArrayInterface.fromMap(
                        minimal - key,
                    )
                }.message shouldContain
                    "the key \"$key\" is missing"
                shouldThrow<IllegalArgumentException> {
                    CudaArrayInterface.fromMap(minimal + (key to null))
                }.message shouldContain "\"$key\" is None"
            }
        }

        test("shape: \"a tuple of int (or long) representing the size of each dimension\"") {
            for (shape in listOf<Any>(listOf(2, 3L), arrayOf(2, 3), longArrayOf(2, 3), intArrayOf(2, 3))) {
                CudaArrayInterface.fromMap(minimal + ("shape" to shape)).shape() shouldBe listOf(2L, 3L)
            }
            CudaArrayInterface.fromMap(minimal + ("shape" to emptyList<Int>())).shape() shouldBe emptyList()
        }

        test("typestr: \"the same definition as typestr in the numpy array interface\"") {
            CudaArrayInterface.fromMap(minimal + ("typestr" to "<M8[1ns]")).typestr() shouldBe "<M8[ns]"
        }

        test("data: \"a 2-tuple. The first element is the data pointer as a Python int (or long)\"") {
            val pointer = BigInteger.valueOf(1).shiftLeft(46)
            CudaArrayInterface.fromMap(minimal + ("data" to arrayOf<Any>(pointer, true))).data() shouldBe (1L shl 46)
        }

        test("data: \"The second element is the read-only flag as a Python bool\"") {
            for (flag in listOf(true, false)) {
                CudaArrayInterface.fromMap(minimal + ("data" to listOf(8, flag))).readOnly() shouldBe flag
            }
        }

        test(
            "\"An integer for the version of the interface being exported. The current version is 2\": 0 to 3 are read",
        ) {
            for (version in 0..3) {
                CudaArrayInterface.fromMap(minimal + ("version" to version)).version() shouldBe
                    version
            }
            for (version in listOf(-1, 4, 1L shl 32)) {
                shouldThrow<IllegalArgumentException> {
                    CudaArrayInterface.fromMap(minimal + ("version" to version))
                }.message shouldContain "version $version is not known"
            }
        }

        test("\"If strides is not given, or it is None, the array is in C-contiguous layout\"") {
            CudaArrayInterface.fromMap(minimal).strides() shouldBe null
            CudaArrayInterface.fromMap(minimal + ("strides" to null)).strides() shouldBe null
        }

        test("strides: \"the number of bytes to skip to access the next element at each dimension\"") {
            CudaArrayInterface.fromMap(minimal + ("strides" to listOf(-12, 4))).strides() shouldBe listOf(-12L, 4L)
        }

        test(
            "descr: \"for describing more complicated types … the same specification as in the numpy array interface\"",
        ) {
            val descr = listOf(listOf("a", "<i4"), listOf("b", "<f8"))
            val read = CudaArrayInterface.fromMap(minimal + mapOf("typestr" to "|V12", "descr" to descr))
            read.descr() shouldBe descr
            read.toMap()["descr"] shouldBe descr
            shouldThrow<IllegalArgumentException> {
                CudaArrayInterface.fromMap(minimal + ("descr" to descr))
            }.message shouldContain
                "descr has 12 bytes an element, typestr \"<f4\" has 4"
        }

        test("mask: \"None or object exposing the __cuda_array_interface__\"") {
            CudaArrayInterface.fromMap(minimal + ("mask" to null)).mask() shouldBe null
            val mask = minimal + ("typestr" to "|b1")
            val read = CudaArrayInterface.fromMap(minimal + ("mask" to mask))
            read.mask()?.typestr() shouldBe "|b1"
            CudaArrayInterface.fromMap(minimal + ("mask" to read.mask())) shouldBe read
        }

        test("\"Version 0 of the CUDA Array Interface did not have the optional mask attribute\": it may be absent") {
            CudaArrayInterface.fromMap(minimal + ("version" to 0)).mask() shouldBe null
        }

        test(
            "\"Versions 0 and 1 … neither clarified the strides … nor specified the treatment for zero-size arrays\"",
        ) {
            val old = minimal + mapOf("version" to 1, "shape" to listOf(0, 3), "data" to listOf(4096, false))
            CudaArrayInterface.fromMap(old).toMap()["version"] shouldBe 2
        }

        test("stream of version 3: None, 1, 2 and handles have their meanings, and 0 is \"disallowed\"") {
            fun stream(value: Any?) =
                CudaArrayInterface.fromMap(minimal + mapOf("version" to 3, "stream" to value)).stream()
            stream(null) shouldBe null
            stream(1) shouldBe CudaArrayInterface.LEGACY_DEFAULT_STREAM
            stream(2) shouldBe CudaArrayInterface.PER_THREAD_DEFAULT_STREAM
            stream(4096) shouldBe 4096
            shouldThrow<IllegalArgumentException> { stream(0) }.message shouldContain "stream is 0, which is ambiguous"
            shouldThrow<IllegalArgumentException> { stream(-1) }.message shouldContain "no pointer"
            CudaArrayInterface.fromMap(minimal + ("version" to 3)).stream() shouldBe null
        }

        context("what is written can be read") {
            withData(
                nameFn = { "$it" },
                minimal,
                minimal + mapOf("version" to 3, "stream" to 7L),
                minimal + mapOf("strides" to listOf(24, 8), "mask" to minimal, "version" to 3),
                minimal + mapOf("shape" to listOf<Int>(), "strides" to listOf<Int>()),
            ) { map ->
                val read = CudaArrayInterface.fromMap(map)
                CudaArrayInterface.fromMap(read.toMap()) shouldBe read
            }
        }

        test("version 2 is written without a stream") {
            CudaArrayInterface.fromMap(minimal).toMap().containsKey("stream") shouldBe false
        }

        context("bad input is one clear error") {
            withData(
                nameFn = { (change, message) -> "$change: $message" },
                mapOf("shape" to "2") to "shape: expected a tuple, found the string \"2\"",
                mapOf("shape" to listOf(2.0)) to "shape[0]: expected an integer, found 2.0 of Double",
                mapOf("shape" to listOf(true)) to "shape[0]: expected an integer",
                mapOf("shape" to listOf(3, -1)) to "shape[1] is -1",
                mapOf("shape" to listOf(Long.MAX_VALUE, 2)) to "more elements than 64 bits",
                mapOf("shape" to listOf(Long.MAX_VALUE / 2)) to "more elements than 64 bits",
                mapOf("shape" to List(65) { 1 }) to "65 dimensions",
                mapOf("typestr" to 4) to "typestr: expected a string",
                mapOf("typestr" to "f4") to "position 0",
                mapOf("data" to 4096) to "data: expected a tuple",
                mapOf("data" to listOf(4096)) to "data has 1 parts",
                mapOf("data" to listOf("x", false)) to "data[0]: expected an integer",
                mapOf("data" to listOf(4096, 0)) to "data[1]: expected a bool",
                mapOf("data" to listOf(-1, false)) to "data[0] is -1",
                mapOf("data" to listOf(BigInteger.ONE.shiftLeft(64), false)) to "more than 64 bits",
                mapOf("data" to listOf(0, false)) to "the data pointer is 0",
                mapOf("version" to "2") to "version: expected an integer",
                mapOf("strides" to 4) to "strides: expected a tuple",
                mapOf("strides" to listOf(4)) to "1 strides [4] for the 2 dimensions",
                mapOf("strides" to listOf(Long.MAX_VALUE, 4)) to "lead out of the address space",
                mapOf("strides" to listOf(-8192, 4)) to "lead out of the address space",
                mapOf("mask" to 5) to "mask: expected the __cuda_array_interface__",
                mapOf(
                    "mask" to minimal + ("shape" to listOf(3, 2)),
                ) to "the mask has the shape [3, 2], the data [2, 3]",
                mapOf("mask" to minimal - "data") to "mask: the key \"data\" is missing",
                mapOf("mask" to minimal + ("typestr" to "<c8")) to "true or not",
                mapOf("typestr" to "<t1") to "in one dimension",
            ) { (change, message) ->
                shouldThrow<IllegalArgumentException> {
                    CudaArrayInterface.fromMap(
                        minimal + change,
                    )
                }.message shouldContain
                    message
            }
        }
    })
