package dev.arrowdevice.rocm

import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.SimulatedDriver
import dev.arrowdevice.testkit.SimulatedDriver.Library
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.collections.shouldBeEmpty

/** The simulated HIP runtimes. */
internal val hipLibraries = listOf(Library.ROCM_5, Library.ROCM_6, Library.ROCM_7)

/** A simulated HIP runtime, loaded by its path, and the library over it. */
internal class SimulatedHip(
    val face: Library,
    without: Set<String> = emptySet(),
) {
    init {
        // Discovery uses a loaded HIP, and would register the GPUs of the first of these.
        System.setProperty(HipSearch.PROPERTY, "/nonexistent")
    }

    val driver: SimulatedDriver = SimulatedDriver.load(face, without)
    val library: HipLibrary = HipLibrary.load(driver.path())

    val devices = HipDevices(library)

    fun driverOf(ordinal: Int = 0) = HipDriver(library, ordinal, 2)

    fun <T> open(
        ordinal: Int = 0,
        kind: MemoryKind = MemoryKind.DEVICE,
        body: (HipRuntime) -> T,
    ): T = devices.open(ordinal, kind).use(body)

    fun currentDevice(): Int = outInt { library.api.hipGetDevice(it) }

    fun makeCurrent(ordinal: Int) = check(library.api.hipSetDevice(ordinal) == 0)
}

/** At the end everything was released, and the simulated driver found no mistake. */
internal fun checked(
    face: Library,
    without: Set<String> = emptySet(),
    body: SimulatedHip.() -> Unit,
) {
    val hip = SimulatedHip(face, without)
    hip.driver.reset()
    val balance = ReleaseBalance.start(hip.driver)
    try {
        hip.body()
        balance.verify()
        withClue("mistakes that the simulated driver noted") { hip.driver.violations().shouldBeEmpty() }
    } finally {
        hip.driver.reset()
    }
}

/** The same test for each version of HIP. */
internal fun FunSpec.onEachHip(
    name: String,
    without: Set<String> = emptySet(),
    body: SimulatedHip.() -> Unit,
) = context(name) {
    withData(hipLibraries) { face -> checked(face, without, body) }
}

internal fun <T> HipDriver.with(
    kind: MemoryKind,
    byteSize: Long,
    body: (Long) -> T,
): T {
    val address = allocate(kind, byteSize)
    return try {
        body(address)
    } finally {
        free(kind, address)
    }
}

/** Lends a buffer and releases it. */
internal fun <T> DeviceBuffer.lend(body: (DeviceBuffer) -> T): T =
    try {
        body(this)
    } finally {
        owner.release()
    }

/** Copies bytes to a runtime's device and back, by its default queue. */
internal fun roundTrip(
    runtime: DeviceRuntime,
    bytes: ByteArray,
): ByteArray =
    runtime.allocateStaging(bytes.size.toLong()).lend { staging ->
        runtime.allocate(bytes.size.toLong()).lend { there ->
            bytes.forEachIndexed { i, byte -> putByte(staging.address + i, byte) }
            runtime.copy(staging, 0, there, 0, bytes.size.toLong())
            bytes.indices.forEach { putByte(staging.address + it, 0) }
            runtime.copy(there, 0, staging, 0, bytes.size.toLong())
            getBytes(staging.address, bytes.size)
        }
    }
