package dev.arrowdevice.cuda

import dev.arrowdevice.cuda.program.CompilesKernel
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.testkit.CCompiler
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.core.test.TestCase
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Files
import java.nio.file.Path

/** Needs no GPU; what needs NVRTC itself takes the machine's, or the one of `-Ddev.arrowdevice.cuda.nvrtc`. */
class NvrtcTest :
    FunSpec({
        val classPath = System.getProperty("java.class.path")

        fun compiling(
            vararg options: String,
            java: String = thisJava(),
        ): List<String> {
            val command = listOf(java, "-Xmx256m") + options + listOf("-cp", classPath, CompilesKernel::class.java.name)
            val process = ProcessBuilder(command).redirectErrorStream(true).start()
            val output =
                process.inputStream
                    .bufferedReader()
                    .readText()
                    .trim()
            check(process.waitFor() == 0) { output }
            return output.lines().filterNot { it.startsWith("WARNING: ") || it.isBlank() }
        }

        test("the error names a library that can't be loaded or is not NVRTC") {
            compiling("-Ddev.arrowdevice.cuda.nvrtc=/nowhere/libnvrtc.so.12").single() shouldStartWith
                "no NVRTC: the CUDA compiler NVRTC /nowhere/libnvrtc.so.12, which " +
                "-Ddev.arrowdevice.cuda.nvrtc names, does not exist"
            val other = "/lib/x86_64-linux-gnu/libc.so.6"
            compiling("-Ddev.arrowdevice.cuda.nvrtc=$other") shouldBe
                listOf("no NVRTC: $other is not CUDA's compiler NVRTC")
        }

        test("the error names the release that is there and the one that is needed, before JCuda ends the process") {
            val source =
                "__attribute__((visibility(\"default\"))) int nvrtcVersion(int* major, int* minor)" +
                    " { *major = 13; *minor = 1; return 0; }"
            val library =
                CCompiler
                    .find(System.getenv())
                    .sharedLibrary("nvrtc", "libnvrtc.so.12", mapOf("nvrtc.c" to source), listOf())
            compiling("-Ddev.arrowdevice.cuda.nvrtc=$library").single() shouldBe
                "no NVRTC: $library is NVRTC of CUDA 13.1; JCuda 12.6.0 needs that of CUDA 12. It comes with the " +
                "CUDA toolkit 12, and as nvidia-cuda-nvrtc-cu12 for Python"
        }

        test("without a compiler the message says what was tried, and what to install")
            .config(enabledOrReasonIf = ifMissing) {
                val why = shouldThrow<DeviceUnavailableException> { Nvrtc.load() }.message
                why shouldStartWith "there is no CUDA compiler NVRTC: looked for libnvrtc.so.12"
                why shouldContain "/usr/local/cuda/lib64/libnvrtc.so.12"
                why shouldContain "-Ddev.arrowdevice.cuda.nvrtc=<path>"
            }

        test("the toolkit is searched in the places of its variables, then in the usual place") {
            val toolkit = Path.of("/opt/cuda-12.6")
            Nvrtc.places(false, mapOf("CUDA_PATH" to "$toolkit", "CUDA_HOME" to "$toolkit")) shouldBe
                listOf(toolkit, Path.of("/usr/local/cuda")).map { it.resolve("lib64/libnvrtc.so.12") }
            Nvrtc.places(true, mapOf("CUDA_PATH" to "$toolkit", "CUDA_HOME" to "")) shouldBe
                listOf(toolkit.resolve("bin/nvrtc64_120_0.dll"))
        }

        test("a Java without java.lang.foreign").config(
            enabledOrReasonIf = { if (java17 != null) Enabled.enabled else Enabled.disabled("no JDK 17 was found") },
        ) {
            compiling(java = java17!!.path).single() shouldStartWith
                "no NVRTC: the CUDA compiler NVRTC needs Java 22 or newer (java.lang.foreign); this is Java 17"
        }

        test("a JVM that may not call native code") {
            compiling("--illegal-native-access=deny").single() shouldContain
                "start it with --enable-native-access="
        }

        test(
            "a kernel is compiled, and a library planted for JCuda is not loaded",
        ).config(enabledOrReasonIf = ifInstalled) {
            val temporary = tempdir().toPath()
            Files.writeString(temporary.resolve("libJNvrtc-12.6.0-linux-x86_64.so"), "not what it seems")
            val named =
                System
                    .getProperty(
                        Nvrtc.PROPERTY,
                    )?.let { listOf("-D${Nvrtc.PROPERTY}=$it") }
                    .orEmpty()
            val options = named + "-Djava.io.tmpdir=$temporary"
            compiling(*options.toTypedArray()).single() shouldContain ".entry doubled("
            Files
                .list(temporary)
                .use { files -> files.toList().filter { "arrow-device" in "$it" } }
                .shouldBeEmpty()
        }
    })

/** Why there is no NVRTC, or null. */
private val obstacle: String? by lazy {
    try {
        Nvrtc.load()
        null
    } catch (e: DeviceUnavailableException) {
        e.message
    }
}

private val ifInstalled: (TestCase) -> Enabled = { obstacle?.let(Enabled::disabled) ?: Enabled.enabled }

private val ifMissing: (TestCase) -> Enabled = {
    if (obstacle == null) Enabled.disabled("NVRTC is installed") else Enabled.enabled
}
