package dev.arrowdevice.cuda.program

import dev.arrowdevice.cuda.Probe
import dev.arrowdevice.cuda.RawCuda
import dev.arrowdevice.cuda.cuda
import kotlin.system.exitProcess

/** Prints what GPU 0 and its driver do, where CUDA's documentation leaves it open: `[short]`. */
internal object ProbesDriver {
    @JvmStatic
    fun main(arguments: Array<String>) {
        Probe(RawCuda(cuda(0)), "short" in arguments).printTo(::println)
        exitProcess(0)
    }
}
