package dev.arrowdevice.testkit

import dev.arrowdevice.array.DeviceArray
import dev.arrowdevice.memory.Device
import dev.arrowdevice.memory.DeviceEvent

/** An event that completes, or fails, when somebody waits for it. */
class PendingEvent(
    private val work: () -> Unit = {},
) : DeviceEvent {
    var awaited: Boolean = false
        private set

    override fun device(): Device = Device.CPU

    override fun isComplete(): Boolean = awaited

    override fun await() {
        work()
        awaited = true
    }

    override fun whenComplete(action: Runnable): Unit = action.run()

    override fun syncEvent(): Long = 0

    override fun close() {}
}

/** The same array, its values there when the event is complete. */
fun DeviceArray.readyAfter(event: DeviceEvent): DeviceArray =
    move<DeviceArray>("readyAfter") { data, owner -> DeviceArray.of(data, owner, event) }
