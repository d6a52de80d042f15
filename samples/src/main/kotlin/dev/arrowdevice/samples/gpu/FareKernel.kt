package dev.arrowdevice.samples.gpu

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.DeviceQueue

/**
 * The computation, the only part that differs between kinds of devices: for each trip the fare by a tariff with a night
 * rate, added up by the hour of day.
 */
internal interface FareKernel : AutoCloseable {
    /**
     * Queues the computation and returns at once. Both batches must be ready when the queue gets to it, and live until
     * it is done.
     *
     * @param trips of [TRIPS], with at least one row
     * @param hours of [HOURS], with a row for each hour, to which the trips are added
     * @throws dev.arrowdevice.DeviceException if the device refuses
     */
    fun launch(
        queue: DeviceQueue,
        trips: RecordBatch,
        hours: RecordBatch,
    )

    companion object {
        const val HOURS_OF_A_DAY = 24

        /** Seconds since midnight, metres, and a tip in cents, which may be null. */
        val TRIPS =
            Schema.of(
                Field.nullable("second", ArrowType.INT32),
                Field.nullable("metres", ArrowType.INT32),
                Field.nullable("tip", ArrowType.INT32),
            )

        /** The number of trips that began in an hour, and their fares. */
        val HOURS = Schema.of(Field.notNull("trips", ArrowType.INT64), Field.notNull("cents", ArrowType.INT64))
    }
}

/** The values of a column of a fixed width, from its first row on: an array's offset counts from the start of its buffers. */
internal fun ArrayData.values(byteWidth: Int): DeviceBuffer =
    checkNotNull(buffer(1)) { "a column without values" }.slice(offset * byteWidth, length * byteWidth)
