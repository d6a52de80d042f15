package dev.arrowdevice.testkit

import dev.arrowdevice.array.DeviceArray
import dev.arrowdevice.memory.Device
import dev.arrowdevice.memory.DeviceEvent

/** An event that completes when somebody waits for it. */
class PendingEvent(
    private val handle: () -> Long = { 0 },
) : DeviceEvent {
    var awaited: Boolean = false
        private set

    override fun device(): Device = Device.CPU

    override fun isComplete(): Boolean = awaited

    override fun await() {
        awaited = true
    }

    override fun whenComplete(action: Runnable): Unit = action.run()

    override fun syncEvent(): Long = handle()

    override fun close() {}
}

/** The same array, its values there when the event is complete. */
fun DeviceArray.readyAfter(event: DeviceEvent): DeviceArray =
    move<DeviceArray>("readyAfter") { data, owner -> DeviceArray.of(data, owner, event) }
