package dev.arrowdevice.spi

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.Validation
import dev.arrowdevice.checkInterleavings
import dev.arrowdevice.internal.abi.AsyncUpcalls
import dev.arrowdevice.internal.abi.CAsyncDeviceStreamHandler
import dev.arrowdevice.internal.abi.CAsyncProducer
import dev.arrowdevice.internal.abi.CHeap
import dev.arrowdevice.internal.abi.Exported
import dev.arrowdevice.internal.abi.ForeignCallbacks
import dev.arrowdevice.internal.abi.OutstandingExports
import dev.arrowdevice.internal.abi.RawMemory
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import io.kotest.core.spec.style.FunSpec
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.Validate
import java.util.concurrent.atomic.AtomicInteger

/** Both sides of the async interface in one process, through the C structs. */
class AsyncTaskLincheckTest :
    FunSpec({
        test("a task is extracted or discarded once, even if the stream is released at the same time").config(
            enabled = Runtime.version().feature() >= 22,
        ) {
            checkInterleavings(Concurrent::class, Sequential::class, scenarios = 8, threads = 2)
        }
    }) {
    @Param(name = "task", gen = IntGen::class, conf = "0:1")
    class Concurrent {
        private val works = List(TASKS) { Work() }
        private val tasks = mutableListOf<AsyncTask>()
        private val released = AtomicInteger()
        private val handler = CHeap.allocate(CAsyncDeviceStreamHandler.SIZE)
        private val handlerId = OutstandingExports.HANDLERS.add(Handler())
        private val export: AsyncExport
        private val producerId: Long

        init {
            RawMemory.zero(handler, CAsyncDeviceStreamHandler.SIZE)
            CAsyncDeviceStreamHandler.setOnSchema(handler, AsyncUpcalls.ON_SCHEMA)
            CAsyncDeviceStreamHandler.setOnNextTask(handler, AsyncUpcalls.ON_NEXT_TASK)
            CAsyncDeviceStreamHandler.setRelease(handler, AsyncUpcalls.RELEASE)
            CAsyncDeviceStreamHandler.setPrivateData(handler, handlerId)
            export =
                AsyncExport.open(
                    CAsyncDeviceStreamHandlerStruct.at(handler),
                    FIELD,
                    DeviceType.CPU,
                    Metadata.EMPTY,
                    Silent,
                )
            producerId = CAsyncProducer.privateData(CAsyncDeviceStreamHandler.producer(handler))
            export.start()
            OutstandingExports.PRODUCERS.get(producerId)!!.request(TASKS.toLong())
            works.forEach { export.offer(it, Metadata.EMPTY) }
        }

        @Operation
        fun extract(
            @Param(name = "task") task: Int,
        ): String =
            try {
                tasks[task].extract().close()
                "extracted"
            } catch (e: ForeignException) {
                if (e.errno == EXTRACTED) "extracted" else "$e"
            } catch (e: IllegalStateException) {
                "used before"
            }

        @Operation
        fun discard(
            @Param(name = "task") task: Int,
        ) = tasks[task].discard()

        @Operation
        fun release() = export.release()

        @Validate
        fun allIsUsedOnceAndGone() {
            for ((task, work) in tasks.zip(works)) {
                task.discard()
                check(work.uses.get() == 1) { "used ${work.uses} times" }
            }
            export.release()
            check(released.get() == 1) { "released $released times" }
            check(OutstandingExports.PRODUCERS.get(producerId) == null) { "the producer is still there" }
            OutstandingExports.HANDLERS.remove(handlerId)
            CHeap.free(handler)
        }

        /** The consumer's end: takes the tasks. */
        private inner class Handler : Exported.Handler {
            override fun allocation(): Throwable? = null

            override fun onSchema(schema: Long): Int {
                ForeignCallbacks.releaseSchema(schema)
                return 0
            }

            override fun onNextTask(
                task: Long,
                metadata: Long,
            ): Int {
                tasks +=
                    AsyncTask(
                        task,
                        FIELD,
                        DeviceType.CPU,
                        Metadata.EMPTY,
                        Validation.STRUCTURE,
                        AsyncDiscard.WITHOUT_ARRAY,
                    )
                return 0
            }

            override fun onError(
                code: Int,
                message: Long,
                metadata: Long,
            ) = Unit

            override fun release() {
                released.incrementAndGet()
            }
        }
    }

    /** Counts its uses; the array would only add to the interleavings. */
    private class Work : AsyncWork {
        val uses = AtomicInteger()

        override fun extract(): DeviceArray {
            uses.incrementAndGet()
            throw ForeignException("extract", EXTRACTED, "this is all")
        }

        override fun discard() {
            uses.incrementAndGet()
        }
    }

    private object Silent : AsyncExport.Listener {
        override fun onRequest() = Unit

        override fun onCancel() = Unit
    }

    @Suppress("unused")
    class Sequential {
        private val used = BooleanArray(TASKS)

        fun extract(task: Int): String = if (used[task]) "used before" else "extracted".also { used[task] = true }

        fun discard(task: Int) {
            used[task] = true
        }

        fun release() = Unit
    }

    private companion object {
        const val TASKS = 2
        const val EXTRACTED = 77
        val FIELD: Field = Field.nullable("n", ArrowType.INT32)
    }
}
