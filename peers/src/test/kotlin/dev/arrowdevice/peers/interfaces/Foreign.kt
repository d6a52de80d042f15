package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.ArrayView
import dev.arrowdevice.Device
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.spi.AddressRange
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.testkit.ReleaseBalance
import java.lang.foreign.Arena
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout

/** An owner on the other side, which counts how often it is closed. */
class ForeignOwner : AutoCloseable {
    @Volatile
    var closed: Int = 0
        private set

    /** The same when nothing waits any more: memory that foreign code has had is released on another thread. */
    fun closedInTheEnd(): Int {
        ReleaseBalance.awaitDeferredReleases()
        return closed
    }

    override fun close() {
        closed++
    }
}

/** A device whose memory is the host's: managed or shared memory, without the hardware. */
class SharedDevice(
    private val device: Device,
    private val owner: (Long) -> Device? = { device },
    private val allocation: (Long) -> AddressRange? = { null },
) : DeviceRuntime by CpuRuntime.INSTANCE {
    override fun getDevice(): Device = device

    override fun isHostReadable(): Boolean = true

    override fun deviceOf(address: Long): Device? = owner(address)

    override fun allocationOf(address: Long): AddressRange? = allocation(address)

    override fun allocate(byteSize: Long): DeviceBuffer {
        val host = CpuRuntime.INSTANCE.allocate(byteSize)
        return DeviceBuffer.ofHostAddress(device, host.address, byteSize, host.owner)
    }
}

/** Memory of somebody else, for one test. */
class ForeignMemory(
    private val arena: Arena = Arena.ofShared(),
) : AutoCloseable by arena {
    fun ints(vararg values: Int): Long = arena.allocateFrom(ValueLayout.JAVA_INT, *values).address()

    fun floats(vararg values: Float): Long = arena.allocateFrom(ValueLayout.JAVA_FLOAT, *values).address()

    fun longs(vararg values: Long): Long = arena.allocateFrom(ValueLayout.JAVA_LONG, *values).address()

    fun bytes(vararg values: Int): Long {
        val segment: MemorySegment = arena.allocate(values.size.toLong().coerceAtLeast(1), 8)
        values.forEachIndexed { i, value -> segment.set(ValueLayout.JAVA_BYTE, i.toLong(), value.toByte()) }
        return segment.address()
    }
}

/** A test with a registered device, foreign memory, and the balance of all. */
fun withShared(
    device: Device,
    owner: (Long) -> Device? = { device },
    allocation: (Long) -> AddressRange? = { null },
    test: ForeignMemory.() -> Unit,
) {
    ReleaseBalance.start(CPeer.load()).use {
        val runtime = SharedDevice(device, owner, allocation)
        Devices.register(runtime)
        try {
            ForeignMemory().use(test)
        } finally {
            Devices.unregister(runtime)
        }
    }
}

/** All values, those of lists and tensors as lists. */
fun ArrayView.values(): List<Any?> = List(length.toInt()) { plain(getObject(it.toLong())) }

private fun plain(value: Any?): Any? =
    when (value) {
        is List<*> -> value.map(::plain)
        is ByteArray -> value.toList()
        else -> value
    }
