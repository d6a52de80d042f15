package dev.arrowdevice.oneapi

import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.Library
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteExisting
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText

/** Finding SYCL, and saying what is wrong where it can't be used. Each way has one exception, whose message helps. */
class SyclLibraryTest :
    FunSpec({
        val nowhere = Path.of("/nonexistent")
        val unknownName = "libDPCTLSyclInterface-absent.so"
        val property = "-Ddev.arrowdevice.oneapi.library"

        fun unavailable(search: SyclSearch): String =
            shouldThrow<DeviceUnavailableException> { SyclLibrary.load(search) }.message.orEmpty()

        test("without dpctl the error says what is missing and what would help, at each call") {
            val search = SyclSearch(null, mapOf("VIRTUAL_ENV" to "/nonexistent/environment"), nowhere, unknownName)
            repeat(2) {
                unavailable(search) shouldBe
                    "there is no C library of dpctl: looked for $unknownName. Run pip install dpctl dpcpp-cpp-rt " +
                    "intel-opencl-rt in a Python environment, which VIRTUAL_ENV or CONDA_PREFIX names, " +
                    "or set $property to its lib/python3.*/site-packages/dpctl/libDPCTLSyclInterface.so"
            }
        }

        test("the error names a library that exists and does not load") {
            val home = Files.createTempDirectory("sycl")
            val folder = home.resolve("lib/python3.11/site-packages/dpctl").createDirectories()
            val file = folder.resolve(unknownName).also { it.writeBytes(foreign()) }
            val text = "$file is there and does not load (ldd shows whether it lacks a library)"
            unavailable(SyclSearch(null, mapOf("VIRTUAL_ENV" to "$home"), nowhere, unknownName)) shouldContain text
            unavailable(SyclSearch(null, mapOf("CONDA_PREFIX" to "$home"), nowhere, unknownName)) shouldContain text
            val maps = home.resolve("maps").also { it.writeText("7f00-7f01 r-xp 00000000 fe:00 1     $file\n") }
            unavailable(SyclSearch(null, emptyMap(), maps, unknownName)) shouldContain text
            unavailable(SyclSearch.of(file)) shouldContain "$file, which $property names, does not load"
            file.deleteExisting()
            unavailable(SyclSearch.of(file)) shouldContain "$file, which $property names, does not exist"
            home.toFile().deleteRecursively()
        }

        test("a library without required functions is refused, and the error names them") {
            val file = SimulatedDriver.build(Library.ROCM_6, emptySet())
            val message = shouldThrow<DeviceUnavailableException> { SyclLibrary.load(file) }.message.orEmpty()
            message shouldStartWith "dpctl's library $file lacks DPCTLCString_Delete, "
            message shouldContain "; install dpctl 0.22 or newer, or name another library by $property"
        }

        test("without dpctl oneapi(0) fails with one typed exception, and discovery says why") {
            val output = FreshJvm().run(TriesToOpenDevice::class)
            if (!output[0].startsWith("opened")) {
                output[0] shouldStartWith "DeviceUnavailableException: "
                output[1] shouldBe output[0]
                output[2] shouldBe "oneAPI: [] ${output[0].substringAfter(": ")}"
            }
        }

        onRealSycl(
            "oneapi(0) opens the first device of the dpctl that the property names, and Devices finds it too",
        ) {
            val output =
                FreshJvm(
                    mapOf("OCL_ICD_FILENAMES" to "$cpuDriver"),
                    mapOf("dev.arrowdevice.oneapi.library" to "$file"),
                ).run(OpensDevice::class)
            output[0] shouldStartWith "opened ONEAPI:0 ("
            output.drop(1) shouldBe listOf("copied 5", "copied 6")
        }

        onRealSycl("dpctl is found in the Python environment that is active") {
            val environment = mapOf("VIRTUAL_ENV" to "$home", "OCL_ICD_FILENAMES" to "$cpuDriver")
            FreshJvm(environment).run(OpensDevice::class)[0] shouldStartWith "opened ONEAPI:0 ("
        }

        onRealSycl("a SYCL without a device throws, and the message names the CPU's driver that would help") {
            // The machine may have devices, but none of the chosen kinds.
            val environment = mapOf("VIRTUAL_ENV" to "$home", "ONEAPI_DEVICE_SELECTOR" to "opencl:fpga")
            val output = FreshJvm(environment).run(TriesToOpenDevice::class)
            output[0] shouldStartWith
                "DeviceUnavailableException: SYCL, by $file, finds no device; ONEAPI_DEVICE_SELECTOR"
            output[0] shouldContain "OCL_ICD_FILENAMES is $cpuDriver"
            output[2] shouldStartWith "oneAPI: [] SYCL, by "
        }
    })

/** A library for machines of another kind: the field e_machine is not what it should be. */
private fun foreign() = SimulatedDriver.build(Library.ROCM_6, emptySet()).readBytes().also { it[18] = 2 }
