package dev.arrowdevice.benchmarks

import dev.arrowdevice.cuda.CudaRuntime
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.testkit.CCompiler
import dev.arrowdevice.testkit.CCompilerException

/** Why tasks with C code can't run here; null if they can. */
internal fun lackOfCompiler(): String? =
    try {
        CCompiler.find(System.getenv())
        null
    } catch (failure: CCompilerException) {
        failure.message
    }

/** Why tasks with Arrow C++ can't run here; null if they can. */
internal fun lackOfArrowCpp(): String? =
    if (System.getProperty("os.name") ==
        "Linux"
    ) {
        lackOfCompiler()
    } else {
        "the names of Arrow C++'s functions are known for Linux only"
    }

/** Why tasks on an NVIDIA GPU can't run here; null if they can. */
internal fun lackOfGpu(): String? =
    try {
        CudaRuntime.open(0).close()
        null
    } catch (failure: DeviceUnavailableException) {
        "it needs an NVIDIA GPU: ${failure.message}"
    }
