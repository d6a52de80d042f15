package dev.arrowdevice.cuda

import dev.arrowdevice.cuda.program.FindsDevices
import dev.arrowdevice.testkit.SimulatedDriver
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.io.File
import java.nio.file.Files

/** Where CUDA can't be used the one exception says why, and nothing else happens. Each in a JVM of its own. */
class CudaLibraryTest :
    FunSpec({
        val classPath = System.getProperty("java.class.path").split(File.pathSeparator)

        fun finding(
            vararg arguments: String,
            options: List<String> = listOf("-cp", classPath.joinToString(File.pathSeparator)),
            java: String = thisJava(),
        ): List<String> {
            val command = listOf(java, "-Xmx256m") + options + FindsDevices::class.java.name + arguments
            val process = ProcessBuilder(command).redirectErrorStream(true).start()
            val output =
                process.inputStream
                    .bufferedReader()
                    .readText()
                    .trim()
            check(process.waitFor() == 0) { output }
            return output.lines().filterNot { it.startsWith("WARNING: ") || it.isBlank() }
        }

        fun classPathWith(vararg options: String) =
            options.toList() + listOf("-cp", classPath.joinToString(File.pathSeparator))

        fun unavailable(vararg arguments: String): String {
            val lines = finding(*arguments)
            lines.map { it.substringBefore(": ") } shouldBe listOf("no CUDA", "open")
            lines.map { it.substringAfter(": ") }.distinct().size shouldBe 1
            return lines.first()
        }

        test("no driver").config(enabledOrReasonIf = onlySimulated) {
            val why = unavailable()
            why shouldContain "there is no NVIDIA driver: looked for libcuda.so.1, /usr/lib/wsl/lib/libcuda.so.1"
            why shouldContain "-Ddev.arrowdevice.cuda.library="
        }

        test("a driver at a path that does not exist") {
            finding(
                options =
                    listOf(
                        "-Ddev.arrowdevice.cuda.library=/nowhere/libcuda.so.1",
                        "-cp",
                        classPath.joinToString(File.pathSeparator),
                    ),
            ).first() shouldContain "/nowhere/libcuda.so.1, which -Ddev.arrowdevice.cuda.library names, does not exist"
        }

        test("a driver without a function that we need") {
            unavailable("without=cuStreamGetCtx,cuMemFreeHost") shouldContain "lacks cuMemFreeHost, cuStreamGetCtx"
        }

        test("a driver without an optional function") {
            finding("without=cuMemAllocAsync")[0] shouldBe
                "CUDA: [CUDA:0, CUDA_HOST:0, CUDA_MANAGED:0, CUDA:1, CUDA_HOST:1, CUDA_MANAGED:1]"
        }

        test("a driver that is too old") {
            unavailable("version=11040") shouldContain
                "NVIDIA's driver has CUDA 11.4; JCuda 12.6.0 needs a driver with CUDA 12.0"
        }

        test("a driver without a GPU") {
            unavailable("devices=0") shouldContain "NVIDIA's driver is there, but no GPU"
        }

        test("a driver that fails to start") {
            unavailable("fail=cuInit") shouldContain "cuInit failed with 999 (CUDA_ERROR_UNKNOWN: unknown error)"
        }

        test("another platform") {
            unavailable("arch=aarch64") shouldContain
                "JCuda 12.6.0, through which CUDA is called, exists for Linux and Windows on x86-64"
        }

        test("a JVM that may not call native code") {
            val simulated = SimulatedDriver.build(SimulatedDriver.Library.CUDA, emptySet())
            val options = classPathWith("--illegal-native-access=deny", "-Ddev.arrowdevice.cuda.library=$simulated")
            finding(options = options).first() shouldContain "start it with --enable-native-access="
        }

        test("a Java without java.lang.foreign").config(
            enabledOrReasonIf = { if (java17 != null) Enabled.enabled else Enabled.disabled("no JDK 17 was found") },
        ) {
            finding(java = java17!!.path).first() shouldContain
                "no CUDA: the NVIDIA driver needs Java 22 or newer (java.lang.foreign); this is Java 17"
        }

        test("JCuda without its native libraries") {
            val without = classPath.filterNot { "jcuda-natives" in it }.joinToString(File.pathSeparator)
            val lines = finding("version=12040", options = listOf("-cp", without))
            lines[0] shouldContain
                "JCuda can't load libJCudaDriver-12.6.0-linux-x86_64.so; is org.jcuda:jcuda-natives:12.6.0"
            lines[0].substringAfter(": ") shouldBe lines[1].substringAfter(": ")
        }

        test(
            "a library planted in the directory for temporary files is not loaded, and no file is left there",
        ) {
            val temporary = tempdir().toPath()
            val planted = temporary.resolve("libJCudaDriver-12.6.0-linux-x86_64.so")
            Files.writeString(planted, "not what it seems")
            val lines =
                finding(
                    "version=12040",
                    "show=tmpdir",
                    options = listOf("-Djava.io.tmpdir=$temporary", "-cp", classPath.joinToString(File.pathSeparator)),
                )
            lines[0] shouldContain "CUDA: [CUDA:0"
            lines.last() shouldBe "tmpdir: $temporary"
            Files
                .list(temporary)
                .use { files ->
                    files.toList().filter { "arrow-device" in it.toString() }
                }.shouldBeEmpty()
        }

        test("on the module path it works with its native libraries on the class path") {
            fun isModule(path: String) =
                listOf("/core/target/", "/cuda/target/classes", "/jcuda-12", "kotlin-stdlib", "jspecify").any {
                    it in
                        path
                } &&
                    "test-classes" !in path
            val (modules, rest) = classPath.partition(::isModule)
            val lines =
                finding(
                    "version=12040",
                    options =
                        listOf(
                            "--enable-native-access=dev.arrowdevice.core,jcuda,ALL-UNNAMED",
                            "--illegal-native-access=deny",
                            "--add-modules=dev.arrowdevice.cuda",
                            "--module-path",
                            modules.joinToString(File.pathSeparator),
                            "-cp",
                            rest.joinToString(File.pathSeparator),
                        ),
                )
            lines[0] shouldContain "CUDA: [CUDA:0"
            lines.joinToString("\n") shouldNotContain "open: "
        }
    })

internal fun thisJava(): String =
    ProcessHandle
        .current()
        .info()
        .command()
        .get()
