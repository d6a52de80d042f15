package dev.arrowdevice.rocm

import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.INVALID_VALUE
import dev.arrowdevice.testkit.SimulatedDriver.Library
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.deleteExisting
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

/** Finding HIP, and saying what is wrong where it can't be used. Each way has one exception, whose message helps. */
class HipLibraryTest :
    FunSpec({
        val nowhere = Path.of("/nonexistent")
        val unknownName = listOf("libamdhip64.so.absent")

        fun unavailable(search: HipSearch): String =
            shouldThrow<DeviceUnavailableException> { HipLibrary.load(search) }.message.orEmpty()

        test("without HIP the error says what is missing and what would help, at each call") {
            val search = HipSearch(null, mapOf("ROCM_PATH" to "/nonexistent/rocm"), nowhere, unknownName)
            repeat(2) {
                unavailable(search) shouldBe
                    "there is no HIP runtime: looked for /nonexistent/rocm/lib/libamdhip64.so.absent, " +
                    "/opt/rocm/lib/libamdhip64.so.absent, libamdhip64.so.absent. Install ROCm 5, 6 or 7, " +
                    "or set ROCM_PATH to where it is, or -Ddev.arrowdevice.rocm.library to the library's file"
            }
        }

        test("the error names a library that exists and does not load") {
            val file = Files.createTempFile("libamdhip64", ".so").also { it.writeBytes(foreign()) }
            val path = RocmPath.of(unknownName.single(), file)
            unavailable(HipSearch(null, mapOf("ROCM_PATH" to "$path"), nowhere, unknownName)) shouldContain
                "$path/lib/libamdhip64.so.absent is there and does not load (ldd shows whether it lacks a library)"
            val configured = "$file, which -Ddev.arrowdevice.rocm.library names,"
            unavailable(HipSearch.of(file)) shouldContain "$configured does not load"
            file.deleteExisting()
            unavailable(HipSearch.of(file)) shouldContain "$configured does not exist"
        }

        test("the newest HIP of ROCM_PATH is loaded, before that of the system") {
            val path = RocmPath.of(Library.ROCM_6)
            val newer = path.resolve("lib").resolve(Library.ROCM_7.fileName())
            newer
                .createSymbolicLinkPointingTo(SimulatedDriver.build(Library.ROCM_7, emptySet()))
                .toFile()
                .deleteOnExit()
            FreshJvm(path).run(OpensGpu::class)[0] shouldContain "HIP 7."
            newer.deleteExisting()
            FreshJvm(path).run(OpensGpu::class)[0] shouldContain "HIP 6."
        }

        test("the property goes before ROCM_PATH") {
            val configured = SimulatedDriver.build(Library.ROCM_5, emptySet()).toString()
            val jvm = FreshJvm(RocmPath.of(Library.ROCM_7), mapOf("dev.arrowdevice.rocm.library" to configured))
            jvm.run(OpensGpu::class)[0] shouldContain "HIP 5."
        }

        test("a loaded HIP goes before ROCM_PATH, because two HIPs don't know each other's memory") {
            val loaded = SimulatedDriver.build(Library.ROCM_5, emptySet()).toString()
            val jvm = FreshJvm(RocmPath.of(Library.ROCM_7), mapOf("loaded" to loaded))
            jvm.run(OpensGpuOfLoaded::class)[0] shouldContain "HIP 5."
        }

        test("a HIP without required functions is refused, and the error names them") {
            val without = setOf("hipMemcpyAsync", "hipEventQuery")
            val file = SimulatedDriver.build(Library.ROCM_6, without)
            shouldThrow<DeviceUnavailableException> { HipLibrary.load(file) }.message shouldBe
                "the HIP runtime $file lacks hipEventQuery, hipMemcpyAsync; install ROCm 5, 6 or 7, or name another " +
                "library by -Ddev.arrowdevice.rocm.library"
        }

        onEachHip("a HIP without a device throws, and the message says so") {
            driver.devices(0)
            val message = shouldThrow<DeviceUnavailableException> { devices.count() }.message.orEmpty()
            message shouldStartWith
                "the HIP runtime ${driver.path()}, version ${library.versionText()}, finds no AMD GPU"
            message shouldContain "hipGetDeviceCount = 100, hipErrorNoDevice"
            message shouldContain "/dev/kfd"
            shouldThrow<DeviceUnavailableException> { open { } }
        }

        onEachHip("a HIP that can't be initialised throws the reason") {
            for (function in listOf("hipInit", "hipGetDeviceCount")) {
                driver.failNext(function, INVALID_VALUE)
                shouldThrow<DeviceUnavailableException> { devices.count() }.message shouldContain
                    "$function failed with 1 (hipErrorInvalidValue: invalid argument)"
                library.api.hipPeekAtLastError() shouldBe 0
            }
            driver.failNext("hipRuntimeGetVersion", INVALID_VALUE)
            shouldThrow<DeviceUnavailableException> { HipLibrary.load(driver.path()) }.message shouldContain
                "hipRuntimeGetVersion failed"
        }

        test("on a machine without an AMD GPU rocm(0) fails with one typed exception, and discovery says why") {
            val output = FreshJvm().run(TriesToOpenGpu::class)
            if (!output[0].startsWith("opened")) {
                output[0] shouldStartWith "DeviceUnavailableException: the"
                output[1] shouldBe output[0]
                output[2] shouldStartWith "ROCm: [] ${output[0].substringAfter(": ")}"
            }
        }

        val installed = FreshJvm().run(TriesToOpenGpu::class)[0]
        val whyNot =
            when {
                "there is no HIP runtime" in installed -> "There is no HIP runtime here; Debian 12 has libamdhip64-5."
                installed.startsWith("opened") -> "This machine has an AMD GPU."
                else -> null
            }
        whyNot?.let { println("The test with an installed HIP runtime and no GPU is skipped. $it") }
        test("a real HIP runtime without a GPU reports that there is no device").config(
            enabledOrReasonIf = { whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            installed shouldMatch
                Regex("DeviceUnavailableException: the HIP runtime .*finds no AMD GPU.*hipGetDeviceCount = 100, .*")
        }

        test("the names of HIP, newest first") {
            HipSearch.NAMES shouldContainExactly
                listOf("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so")
        }
    })

/** A library for machines of another kind: the field e_machine is not what it should be. */
private fun foreign() = SimulatedDriver.build(Library.ROCM_6, emptySet()).readBytes().also { it[18] = 2 }
