package dev.arrowdevice.spi

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.checkInterleavings
import dev.arrowdevice.internal.abi.AsyncUpcalls
import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler
import dev.arrowdevice.internal.abi.CAsyncProducer
import dev.arrowdevice.internal.abi.CHeap
import dev.arrowdevice.internal.abi.CSchema
import dev.arrowdevice.internal.abi.Exported
import dev.arrowdevice.internal.abi.OutstandingExports
import dev.arrowdevice.internal.abi.RawMemory
import dev.arrowdevice.internal.exchange.SchemaExporter
import io.kotest.core.spec.style.FunSpec
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Validate
import java.util.concurrent.atomic.AtomicInteger

/** The handler of an async stream, its producer's thread, and threads that request and cancel. */
class AsyncImportLincheckTest :
    FunSpec({
        test("a producer that frees itself at its end, or after a cancellation, is not called afterwards").config(
            enabled = Runtime.version().feature() >= 22,
        ) {
            // Any two of the operations, at the same time.
            checkInterleavings(Concurrent::class, Sequential::class, scenarios = 10, threads = 2, operations = 1)
        }
    }) {
    class Concurrent {
        private val listener = Listener()
        private val stream = AsyncImport.create(listener)
        private val handler: Exported.Handler
        private val producer = CHeap.allocate(CAsyncProducer.SIZE)
        private val called = Called()
        private val producerId = OutstandingExports.PRODUCERS.add(called)

        init {
            val address = stream.handler.address
            handler = OutstandingExports.HANDLERS.get(CAsyncDeviceStreamHandler.privateData(address))!!
            RawMemory.zero(producer, CAsyncProducer.SIZE)
            CAsyncProducer.setDeviceType(producer, DeviceType.CPU)
            CAsyncProducer.setRequest(producer, AsyncUpcalls.REQUEST)
            CAsyncProducer.setCancel(producer, AsyncUpcalls.CANCEL)
            CAsyncProducer.setPrivateData(producer, producerId)
            CAsyncDeviceStreamHandler.setProducer(address, producer)
            val schema = CHeap.allocate(CSchema.SIZE)
            SchemaExporter.export(Field.nullable("n", ArrowType.INT32), schema)
            check(handler.onSchema(schema) == 0)
            CHeap.free(schema)
        }

        @Operation
        fun request() = stream.request(1)

        @Operation
        fun cancel() = stream.cancel()

        @Operation(nonParallelGroup = "producer")
        fun end() {
            handler.onNextTask(0, 0)
            called.gone()
        }

        @Operation(nonParallelGroup = "producer")
        fun fail() {
            handler.onError(5, 0, 0)
            called.gone()
        }

        @Operation(nonParallelGroup = "producer")
        fun release() {
            handler.release()
            called.gone()
        }

        @Validate
        fun releasedOnce() {
            handler.release()
            check(called.late.get() == 0) { "a producer that is gone was called ${called.late} times" }
            check(called.cancels.get() <= 1) { "cancelled ${called.cancels} times" }
            check(listener.ends.get() <= 1) { "ended ${listener.ends} times" }
            check(listener.releases.get() == 1) { "released ${listener.releases} times" }
            OutstandingExports.PRODUCERS.remove(producerId)
            CHeap.free(producer)
        }
    }

    /** The producer that the handler calls. It may be freed once it has ended, and once it was cancelled. */
    private class Called : Exported.Producer {
        val late = AtomicInteger()
        val cancels = AtomicInteger()
        private val running = AtomicInteger()

        @Volatile
        private var isGone = false

        override fun allocation(): Throwable? = null

        override fun request(n: Long) = call {}

        override fun cancel() =
            call {
                cancels.incrementAndGet()
                // Only this call is under way, and none may follow.
                isGone = true
                if (running.get() != 1) late.incrementAndGet()
            }

        fun gone() {
            isGone = true
            if (running.get() != 0) late.incrementAndGet()
        }

        private fun call(block: () -> Unit) {
            running.incrementAndGet()
            if (isGone) late.incrementAndGet()
            block()
            running.decrementAndGet()
        }
    }

    private class Listener : AsyncListener {
        val ends = AtomicInteger()
        val releases = AtomicInteger()

        override fun onSchema(
            stream: AsyncImport,
            field: Field,
            deviceType: Int,
            metadata: Metadata,
        ) = Unit

        override fun onTask(task: AsyncTask) = task.discard()

        override fun onEnd() {
            ends.incrementAndGet()
        }

        override fun onError(failure: RuntimeException) {
            ends.incrementAndGet()
        }

        override fun onRelease() {
            releases.incrementAndGet()
        }
    }

    /** No operation has a result. */
    @Suppress("unused")
    class Sequential {
        fun request() = Unit

        fun cancel() = Unit

        fun end() = Unit

        fun fail() = Unit

        fun release() = Unit
    }
}
