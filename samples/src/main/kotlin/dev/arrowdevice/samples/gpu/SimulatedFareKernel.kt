package dev.arrowdevice.samples.gpu

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.samples.gpu.FareKernel.Companion.HOURS_OF_A_DAY
import dev.arrowdevice.spi.DeviceQueue
import dev.arrowdevice.spi.HostMemory
import dev.arrowdevice.testkit.device.SimulatedDevice

/** The computation in Kotlin, on the worker of a simulated device's queue. */
internal class SimulatedFareKernel(
    private val device: SimulatedDevice,
) : FareKernel {
    override fun launch(
        queue: DeviceQueue,
        trips: RecordBatch,
        hours: RecordBatch,
    ) {
        val (second, metres, tip) = List(trips.columnCount) { trips.column(it).data }
        val buffers =
            listOf(second, metres, tip).map { it.values(Int.SIZE_BYTES) } +
                List(hours.columnCount) { hours.column(it).data.values(Long.SIZE_BYTES) } +
                listOfNotNull(tip.buffer(0))
        val rows = trips.rowCount.toInt()
        device.launch(queue, buffers) { memory ->
            add(rows, memory, tip.offset)
        }
    }

    private fun add(
        rows: Int,
        memory: List<HostMemory>,
        firstTip: Long,
    ) {
        val (seconds, metres, tips) = memory.take(3).map { it.ints(rows) }
        val (trips, cents) = memory.drop(3)
        val valid = memory.getOrNull(5)
        val newTrips = LongArray(HOURS_OF_A_DAY)
        val newCents = LongArray(HOURS_OF_A_DAY)
        for (row in 0 until rows) {
            val hour = seconds[row] / 3600
            newTrips[hour]++
            newCents[hour] += 350 + metres[row] * (if (hour < 6) 3L else 2L) / 10
            if (valid == null || valid.bit(firstTip + row)) newCents[hour] += tips[row].toLong()
        }
        for (hour in 0 until HOURS_OF_A_DAY) {
            trips.add(hour, newTrips[hour])
            cents.add(hour, newCents[hour])
        }
    }

    private fun HostMemory.ints(count: Int) = IntArray(count).also { get(0, it, 0, count) }

    private fun HostMemory.bit(index: Long) = getByte(index shr 3).toInt() shr (index and 7).toInt() and 1 != 0

    private fun HostMemory.add(
        index: Int,
        value: Long,
    ) {
        val at = index * Long.SIZE_BYTES.toLong()
        putLong(at, getLong(at) + value)
    }

    /** Owns nothing that must be closed. */
    override fun close() {}
}
