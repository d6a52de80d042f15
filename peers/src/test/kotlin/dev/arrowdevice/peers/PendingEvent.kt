package dev.arrowdevice.peers

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.spi.DeviceEvent
import dev.arrowdevice.spi.OwnedArrays

/** An event that completes, or fails, when somebody waits for it. */
class PendingEvent(
    private val work: () -> Unit = {},
) : DeviceEvent {
    var awaited: Boolean = false
        private set

    override fun getDevice(): Device = Device.CPU

    override fun isComplete(): Boolean = awaited

    override fun await() {
        work()
        awaited = true
    }

    override fun whenComplete(action: Runnable): Unit = action.run()

    override fun getSyncEvent(): Long = 0

    override fun close() {}
}

/** The same array, its values there when the event is complete. */
fun DeviceArray.readyAfter(event: DeviceEvent): DeviceArray =
    RebuiltArrays.of(this) { data, owner -> OwnedArrays.of(data, owner, event) }
