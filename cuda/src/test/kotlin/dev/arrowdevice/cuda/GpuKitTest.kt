package dev.arrowdevice.cuda

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.longs.shouldBeLessThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.deleteIfExists
import kotlin.io.path.exists
import kotlin.io.path.fileSize
import kotlin.io.path.readText

/**
 * The kit for machines with a GPU: it is built, unpacked and run on the simulated driver in all its modes, in an environment that
 * has a shell and some tools, and no Java.
 */
class GpuKitTest :
    FunSpec({
        val jdk = Path.of(System.getProperty("java.home"))
        val target = Path.of("target", "kit").toAbsolutePath()
        val archive = target.resolve("arrow-device-gpu-kit.tar.xz")
        val unpacked = target.resolve("unpacked")

        fun run(vararg arguments: String): Outcome {
            val tools = target.resolve("tools")
            linkTools(tools)
            val kit = unpacked.resolve("arrow-device-gpu-kit")
            val command = ProcessBuilder(listOf("/bin/sh", kit.resolve("run.sh").toString(), "--simulated", *arguments))
            command.environment().clear()
            command.environment() += mapOf("PATH" to tools.toString(), "SIM_MODES" to "0x3ff")
            return outcome(command.directory(target.toFile()))
        }

        context("the kit for machines with a GPU").config(enabledOrReasonIf = {
            if (jdk.resolve("bin/jlink").exists()) Enabled.enabled else Enabled.disabled("the JDK has no jlink")
        }) {
            test("is one archive of at most 48 MiB") {
                target.createDirectories()
                val build =
                    ProcessBuilder(
                        "kit/build",
                        jdk.toString(),
                        System.getProperty("java.class.path"),
                        target.toString(),
                    )
                build.environment().putIfAbsent("XZ_OPT", "-1")
                outcome(build).let { check(it.code == 0) { it.output } }
                archive.fileSize() shouldBeLessThan (48L shl 20)
                unpacked.toFile().deleteRecursively()
                unpacked.createDirectories()
                outcome(ProcessBuilder("tar", "-xf", archive.toString(), "-C", unpacked.toString())).code shouldBe 0
            }
            test("passes all steps on the simulated driver, and reports them") {
                val outcome = run("--short", "--cancellations", "1000", "--out", "report")
                val report = target.resolve("report/report.txt").readText()
                val lines = report.lines()
                check(outcome.code == 0) { outcome.output }
                lines.filter { it.startsWith("== ") }.map { it.substringBefore(',') } shouldBe
                    STEPS.map { "== $it: passed" }
                lines.filter { "failed: " in it }.shouldBeEmpty()
                lines[1] shouldContain Regex(", [1-9][0-9]* processors$")
                lines.filter { " µs" in it }.shouldNotBeEmpty()
                lines.filter { it.endsWith(" cases, 0 failed") }.size shouldBe 3
                lines shouldContainAll
                    listOf(
                        "not launched: Simulated CUDA device 0, driver of CUDA 12.4 runs no kernels",
                        "  a copy of 64 KB from cuMemHostAlloc to cuMemHostAlloc on the stream: BLOCKED until the stream was let go",
                    )
                lines.dropLast(1).last() shouldContain "${STEPS.size} of ${STEPS.size} steps passed"
            }
            test("ends a step that takes too long, and keeps the stacks of its threads") {
                val outcome = run("--limit", "1", "--out", "hanging", "copies")
                outcome.code shouldBe 1
                outcome.output
                    .lines()
                    .filter { it.startsWith("== ") }
                    .single() shouldContain "copies: HANGS"
                outcome.output.trim() shouldEndWith "hanging/report.txt"
                val log = target.resolve("hanging/logs/copies.log").readText()
                log shouldContain "Full thread dump"
                log shouldContain "Threads in the kernel:"
            }
        }
    })

private val STEPS =
    listOf("devices", "probe") + listOf("DEVICE", "HOST", "MANAGED").map { "contract-$it" } + "kernel" +
        listOf("return", "exit", "thread").map { "exits-$it" } + "copies" + "cancellations"

/** All that the kit needs of a machine, besides a shell. */
private fun linkTools(folder: Path) {
    folder.createDirectories()
    for (tool in listOf("cat", "cut", "date", "dirname", "mkdir", "sed", "sleep", "tail", "tee", "uname")) {
        val link = folder.resolve(tool)
        link.deleteIfExists()
        Files.createSymbolicLink(link, listOf("/usr/bin", "/bin").map { Path.of(it, tool) }.first { it.exists() })
    }
}

private class Outcome(
    val code: Int,
    val output: String,
)

private fun outcome(command: ProcessBuilder): Outcome {
    val process = command.redirectErrorStream(true).start()
    process.outputStream.close()
    val output = process.inputStream.bufferedReader().readText()
    return Outcome(process.waitFor(), output)
}
