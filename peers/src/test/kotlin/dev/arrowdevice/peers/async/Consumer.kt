package dev.arrowdevice.peers.async

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.AsyncDiscard
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncListener
import dev.arrowdevice.spi.AsyncTask
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/**
 * Our consumer, for a test that takes events step by step.
 *
 * @param window the request as soon as the schema has arrived; 0 requests nothing
 * @param refuse which of the callbacks throws
 * @param discard how tasks are discarded
 */
internal class Consumer(
    private val window: Long = 0,
    private val refuse: String? = null,
    discard: AsyncDiscard = AsyncDiscard.WITH_ARRAY,
) : AsyncListener {
    /** The events, in order. */
    sealed interface Event {
        data class Task(
            val task: AsyncTask,
        ) : Event

        data class Failure(
            val failure: RuntimeException,
        ) : Event

        data object End : Event

        data object Release : Event
    }

    val stream: AsyncImport = AsyncImport.create(this, Validation.STRUCTURE, discard)

    val schema = CompletableFuture<Field>()
    var metadata: Metadata = Metadata.EMPTY
    var deviceType = 0
    var onTask: () -> Unit = {}

    private val events = LinkedBlockingQueue<Event>()
    private val released = CountDownLatch(1)

    val handler: CAsyncDeviceStreamHandlerStruct get() = stream.handler
    val handlerAddress: Long get() = handler.address

    /** How many events wait to be taken. */
    val waiting: Int get() = events.size

    fun awaitSchema(): Field = schema.get(SECONDS, TimeUnit.SECONDS)

    /** The next event; waits for it. */
    fun take(): Event = checkNotNull(events.poll(SECONDS, TimeUnit.SECONDS)) { "nothing came within $SECONDS s" }

    /** The next event, which must be a task, as the array that is got from it. */
    fun takeArray(): DeviceArray = takeTask().extract()

    fun takeTask(): AsyncTask = (take() as? Event.Task ?: error("no task came")).task

    fun takeNumbers(): List<Long> = takeArray().use(Numbers::of)

    /** The events that are left, once the producer has called release. */
    fun rest(): List<Event> {
        check(released.await(SECONDS, TimeUnit.SECONDS)) { "no release within $SECONDS s" }
        return generateSequence { events.poll() }.toList()
    }

    override fun onSchema(
        stream: AsyncImport,
        field: Field,
        deviceType: Int,
        metadata: Metadata,
    ) {
        check(refuse != "on_schema") { "this schema is not wanted" }
        this.deviceType = deviceType
        this.metadata = metadata
        if (window > 0) stream.request(window)
        schema.complete(field)
    }

    override fun onTask(task: AsyncTask) {
        check(refuse != "on_next_task") { "this task is not wanted" }
        events.add(Event.Task(task))
        onTask.invoke()
    }

    override fun onEnd() {
        events.add(Event.End)
    }

    override fun onError(failure: RuntimeException) {
        events.add(Event.Failure(failure))
    }

    override fun onRelease() {
        events.add(Event.Release)
        released.countDown()
    }

    private companion object {
        const val SECONDS = 60L
    }
}
