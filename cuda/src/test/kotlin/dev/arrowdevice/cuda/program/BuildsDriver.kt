package dev.arrowdevice.cuda.program

import dev.arrowdevice.testkit.SimulatedDriver

/** Prints the path of the simulated driver, which it builds. */
internal object BuildsDriver {
    @JvmStatic
    fun main(arguments: Array<String>) = println(SimulatedDriver.build(SimulatedDriver.Library.CUDA, setOf()))
}
