package dev.arrowdevice.ipc

import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.Library

/**
 * Names the simulated libraries of CUDA and HIP. For each test that asks for a device: where the drivers are is looked up once in
 * a process, whichever test comes first, and the machine may have others.
 */
internal fun nameSimulatedLibraries() {
    if (System.getProperty("java.specification.version").toInt() < 22) return // There are no drivers without FFM.
    mapOf(Library.CUDA to "cuda", Library.ROCM_6 to "rocm").forEach { (face, name) ->
        System.setProperty("dev.arrowdevice.$name.library", SimulatedDriver.load(face).path().toString())
    }
}
