package dev.arrowdevice.samples.python

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.recordBatch
import jep.Interpreter
import jep.JepException
import jep.SharedInterpreter
import kotlinx.coroutines.flow.fold
import kotlinx.coroutines.runBlocking
import java.io.PrintStream
import kotlin.system.exitProcess

/**
 * Exchanges arrays between Kotlin and Python in the same process, which Jep hosts. Python's part is in
 * `samples/python/exchange.py`. Both print the address of their data: it is the same, so nothing was copied.
 */
internal class PythonExchange(
    private val python: Interpreter,
    private val out: PrintStream,
) {
    private var copies = 0

    /** @return whether everything was exchanged without a copy and all of it was released */
    fun run(): Boolean {
        python.exec("import exchange")
        out.println("${python.invoke("exchange.python")} in the process of a JVM ${Runtime.version().feature()}")
        batchToPython()
        streamToFlow()
        numpy()
        dpctl()
        python.invoke("exchange.end")
        val counters = ArrowCounters.now()
        val streams = counters.exportedStreams() + counters.importedStreams()
        out.println()
        out.println(
            "${counters.exchangedArrays()} arrays and $streams streams exchanged" +
                "${if (copies == 0) " without a copy" else ", $copies with a copy"}: ${counters.unreleased()} unreleased",
        )
        return copies == 0 && counters.unreleased() == 0L
    }

    private fun batchToPython() {
        heading("A batch of Kotlin is a table of pyarrow and a data frame of polars")
        weather().use { batch ->
            val seen = python.invoke("exchange.table_and_frame", batch) as Map<*, *>
            out.println("pyarrow: ${seen["schema"]}")
            out.println("polars: ${seen["warmest"]}")
            compare(
                "celsius",
                "Kotlin" to
                    batch
                        .column("celsius")
                        .data
                        .buffer(1)
                        ?.address,
                "pyarrow" to seen["pyarrow"],
                "polars" to seen["polars"],
            )
        }
    }

    private fun streamToFlow() {
        heading("A reader of pyarrow is a Flow, and its batches come into being one by one")
        val stream = python.invoke("exchange.measurements", BATCHES, ROWS) as DeviceArrayStream
        val addresses = mutableListOf<Long?>()
        val millimetres =
            runBlocking {
                stream.asFlow().fold(0.0) { sum, batch ->
                    addresses +=
                        batch
                            .column("millimetres")
                            .data
                            .buffer(1)
                            ?.address
                    sum + batch.borrow { rows -> (0 until rows.length).sumOf { rows.child(1).getDouble(it) } }
                }
            }
        out.println(
            "Kotlin: %,.1f mm of rain at %,d stations".format(java.util.Locale.ROOT, millimetres, BATCHES * ROWS),
        )
        val theirs = python.invoke("exchange.lying_at") as List<*>
        for ((index, address) in addresses.withIndex()) {
            compare("batch ${index + 1}", "pyarrow" to theirs[index], "Kotlin" to address)
        }
    }

    private fun numpy() {
        heading("An array of NumPy comes through DLPack, and Kotlin's goes to NumPy")
        val (array, theirs) = python.invoke("exchange.array_of_numpy") as List<*>
        (array as DeviceArray).use {
            out.println("Kotlin, after Python has forgotten it: $it")
            compare("data", "NumPy" to theirs, "Kotlin" to it.data.buffer(1)?.address)
        }
        numbers().use {
            val (address, sum) = python.invoke("exchange.to_numpy", it) as List<*>
            out.println("NumPy: the sum is $sum")
            compare("data", "Kotlin" to it.data.buffer(1)?.address, "NumPy" to address)
        }
    }

    private fun dpctl() {
        heading("Memory of SYCL's comes from dpctl, and Kotlin's goes to dpctl")
        val missing = python.invoke("exchange.usm")
        if (missing != null) {
            out.println("left out: $missing")
            return
        }
        val (array, theirs) = python.invoke("exchange.array_of_dpctl") as List<*>
        (array as DeviceArray).use { there ->
            there.copyTo(Device.CPU).use { out.println("Kotlin, of a copy on the host: $it") }
            compare("data on ${there.device}", "dpctl" to theirs, "Kotlin" to there.data.buffer(1)?.address)
            numbers().use { here ->
                here.copyTo(there.device).use { ours ->
                    val (address, sum) = python.invoke("exchange.to_dpctl", ours) as List<*>
                    out.println("dpctl: the sum is $sum")
                    compare(
                        "data on ${ours.device}",
                        "Kotlin" to ours.data.buffer(1)?.address,
                        "dpctl" to address,
                    )
                }
            }
        }
    }

    private fun heading(text: String) {
        out.println()
        out.println("== $text")
    }

    private fun compare(
        what: String,
        vararg addresses: Pair<String, Any?>,
    ) {
        val copied = addresses.map { (_, address) -> address }.distinct().size > 1
        if (copied) copies++
        val list = addresses.joinToString { (side, address) -> "%s 0x%x".format(side, address) }
        out.println("$what: $list: ${if (copied) "copied" else "no copy"}")
    }

    private fun weather(): RecordBatch =
        recordBatch {
            column<String>("city", nullable = false)
            column<Double>("celsius")
            list<String>("sky")
            row("Berlin", 21.5, listOf("clouds", "sun"))
            row("Lima", 18.0, null)
            row("Berlin", 24.0, listOf("sun"))
            row("Oslo", null, listOf("rain"))
        }

    private fun numbers(): DeviceArray =
        recordBatch {
            column<Double>("x") { addAll(listOf(1.0, 2.0, 3.5)) }
        }.use { it.column("x").share() }

    private companion object {
        const val BATCHES = 3
        const val ROWS = 100_000
    }
}

/** Runs the sample. */
public object PythonExchangeMain {
    /** Needs no arguments, but the variables that `bridges/python/environment` sets. */
    @JvmStatic
    public fun main(args: Array<String>) {
        val interpreter =
            try {
                SharedInterpreter()
            } catch (e: UnsatisfiedLinkError) {
                fail(e)
            } catch (e: JepException) {
                fail(e)
            }
        if (!interpreter.use { PythonExchange(it, System.out).run() }) exitProcess(1)
    }

    private fun fail(cause: Throwable): Nothing {
        System.err.println(
            "Python can't be hosted (${cause.message}): start this with bridges/python/environment and samples/python on the PYTHONPATH",
        )
        exitProcess(1)
    }
}
