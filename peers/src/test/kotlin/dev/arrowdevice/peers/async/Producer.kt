package dev.arrowdevice.peers.async

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.AsyncWork
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

/** Our side as producer, for a test that sends step by step. */
internal class Producer(
    handlerAddress: Long,
    field: Field = Numbers.field,
    metadata: Metadata = Metadata.EMPTY,
) : AsyncExport.Listener {
    val extracted = AtomicInteger()
    val discarded = AtomicInteger()

    private val calls = Semaphore(0)
    private val cancel = Semaphore(0)

    val export: AsyncExport =
        AsyncExport.open(
            CAsyncDeviceStreamHandlerStruct.at(handlerAddress),
            field,
            DeviceType.CPU,
            metadata,
            this,
        )

    /** Waits until the consumer has requested this many tasks more than were sent. */
    fun awaitDemand(arrays: Long) {
        while (export.demand < arrays) {
            check(calls.tryAcquire(SECONDS, TimeUnit.SECONDS)) { "a demand of ${export.demand} only" }
        }
    }

    fun awaitCancel() {
        check(cancel.tryAcquire(SECONDS, TimeUnit.SECONDS)) { "no cancel" }
    }

    /** Offers a task for these numbers, as soon as the consumer wants one. */
    fun offer(
        vararg numbers: Long,
        metadata: Metadata = Metadata.EMPTY,
    ): Boolean {
        awaitDemand(1)
        return export.offer(Work { Numbers.batch(*numbers) }, metadata)
    }

    /** Offers a task that fails. */
    fun offerFailing(failure: RuntimeException): Boolean {
        awaitDemand(1)
        return export.offer(Work { throw failure }, Metadata.EMPTY)
    }

    override fun onRequest() {
        calls.release()
    }

    override fun onCancel() {
        cancel.release()
    }

    private inner class Work(
        private val make: () -> DeviceArray,
    ) : AsyncWork {
        override fun extract(): DeviceArray {
            extracted.incrementAndGet()
            return make()
        }

        override fun discard() {
            discarded.incrementAndGet()
        }
    }

    private companion object {
        const val SECONDS = 60L
    }
}
