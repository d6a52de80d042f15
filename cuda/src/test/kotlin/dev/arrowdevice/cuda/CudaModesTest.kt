package dev.arrowdevice.cuda

import dev.arrowdevice.cuda.program.ExitsWhilePending
import dev.arrowdevice.cuda.program.RunsContract
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.SimulatedDriverMode
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import java.util.concurrent.TimeUnit

/**
 * The contract on a driver that does everything that CUDA's documentation allows, each kind of memory in a JVM of its own,
 * because a device asks once what its memory can do. `-Dcuda.modes=<mode>,<mode>` names other modes.
 */
class CudaModesTest :
    FunSpec({
        val modes = System.getProperty("cuda.modes") ?: SimulatedDriverMode.entries.joinToString(",")

        for (kind in MemoryKind.entries) {
            test("the contract for memory of the kind $kind").config(enabledOrReasonIf = onlySimulated) {
                val lines = running(RunsContract::class.java.name, modes, kind.name)
                lines.filter { it.startsWith("failed: ") }.shouldBeEmpty()
                lines.last() shouldEndWith " cases, 0 failed"
            }
        }
        for (end in listOf("return", "exit", "thread")) {
            test("a process ends well while an action is pending: $end").config(enabledOrReasonIf = onlySimulated) {
                running(ExitsWhilePending::class.java.name, end).last() shouldBe "pending"
            }
        }
    })

/** What a program of the tests prints, in a JVM of its own that ends well; it is ended if it takes too long. */
internal fun running(
    program: String,
    vararg arguments: String,
): List<String> {
    val classPath = System.getProperty("java.class.path")
    val command = listOf(thisJava(), "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-cp", classPath, program)
    val process = ProcessBuilder(command + arguments).redirectErrorStream(true).start()
    process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).exceptionally { process.destroyForcibly() }
    val output =
        process.inputStream
            .bufferedReader()
            .readText()
            .trim()
    check(process.waitFor() == 0) { output }
    return output.lines()
}

private const val LIMIT_SECONDS = 300L
