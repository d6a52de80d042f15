package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.values
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking

/** A program in a JVM that denies native access. */
class FlowWithoutAccessTest :
    FunSpec({
        test("flows within the process need no native access, and an async stream says what it needs").config(
            enabled = System.getProperty("java.specification.version").toInt() >= 24,
        ) {
            val java =
                ProcessHandle
                    .current()
                    .info()
                    .command()
                    .get()
            val process =
                ProcessBuilder(
                    java,
                    "--illegal-native-access=deny",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FlowsWithoutAccess::class.java.name,
                ).redirectErrorStream(true).start()
            val lines = process.inputStream.bufferedReader().readLines()
            process.waitFor()
            lines.filter { "refused" in it }.apply {
                shouldContainExactly(List(2) { first() })
                first() shouldContain "--enable-native-access=ALL-UNNAMED"
            }
            lines.filter { "refused" !in it } shouldContainExactly
                listOf("flow [1, 2]", "stream [1, 2, 3]", "balanced")
        }
    })

/** Flows of batches and of streams that are all made here. */
object FlowsWithoutAccess {
    private fun made(n: Int) = recordBatch { column<Int>("n") { add(n) } }

    @JvmStatic
    fun main(arguments: Array<String>) =
        runBlocking {
            val made = flowOfBatches { repeat(3) { emit(made(it + 1)) } }
            println("flow " + made.take(2).map { it.values<Int>("n").sum() }.toList())
            val source = (1..3).map(::made).let { DeviceArrayStream.of(it.first().schema, it) }
            println("stream " + source.asFlow(prefetch = 2).map { it.values<Int>("n").sum() }.toList())
            repeat(2) {
                try {
                    asyncDeviceStream { error("the block was called") }.collect {}
                } catch (e: UnsupportedOperationException) {
                    println("refused: ${e.message}")
                }
            }
            val now = ArrowCounters.now()
            println(if (now.hostBuffers() == 0L && now.unreleased() == 0L) "balanced" else "$now")
        }
}
