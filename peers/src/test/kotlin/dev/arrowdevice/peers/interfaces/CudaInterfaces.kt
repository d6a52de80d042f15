package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.ImportOptions
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.shouldBe

/** A device whose memory the host reads, so that what comes in can be looked at. */
internal val managed = Device(DeviceType.CUDA_MANAGED, 0)
internal val onManaged = ImportOptions.on(managed)

internal fun cudaInterface(
    shape: List<Int>,
    typestr: String,
    address: Long,
    vararg more: Pair<String, Any?>,
) = CudaArrayInterface.fromMap(
    mapOf("shape" to shape, "typestr" to typestr, "data" to listOf(address, false), "version" to 2) + more,
)

/** Takes an array, checks that its owner is closed once, when the array is. */
internal fun <T> CudaArrayInterface.taken(
    options: ImportOptions = onManaged,
    copied: Boolean = false,
    test: (DeviceArray) -> T,
): T {
    val owner = ForeignOwner()
    val result =
        importArray(owner, options).use { array ->
            owner.closed shouldBe if (copied) 1 else 0
            test(array)
        }
    owner.closedInTheEnd() shouldBe 1
    return result
}

internal fun CudaArrayInterface.refusal(options: ImportOptions = onManaged): String {
    val owner = ForeignOwner()
    val message = shouldThrow<IllegalArgumentException> { importArray(owner, options) }.message.orEmpty()
    owner.closed shouldBe 1
    return message
}

internal fun <T> copiedToManaged(
    array: DeviceArray,
    test: (DeviceArray) -> T,
): T = array.use { it.copyTo(managed) }.use(test)
