package dev.arrowdevice.samples

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.builder.RecordBatchBuilder
import dev.arrowdevice.coroutines.asyncDeviceStream
import dev.arrowdevice.spi.AsyncExport
import dev.arrowdevice.spi.AsyncWork
import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import java.util.concurrent.Semaphore
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds

private const val BATCHES = 8
private const val WINDOW = 3
private const val ROWS = 1_000

private val SCHEMA = Schema.of(Field.notNull("value", ArrowType.INT64))

/**
 * Producer and consumer in one process, over the async device stream: a thread that could produce at once, and a slow
 * coroutine. The timeline shows how requests hold the producer back: at most [WINDOW] tasks ever wait.
 */
internal class AsyncExchange(
    private val consumerPace: Duration,
) {
    val timeline = Timeline()
    val mostWaiting = AtomicInteger()
    private val waiting = AtomicInteger()

    /** Runs the exchange and returns the sum of all values that arrived. */
    fun run(): Long =
        runBlocking {
            var sum = 0L
            lateinit var producer: Thread
            asyncDeviceStream(WINDOW) { handler ->
                producer = thread(name = "producer") { produce(handler) }
            }.collect { batch ->
                timeline.consumer("extracted ${batch.column(0).getLong(0) / ROWS}", waiting.get())
                sum +=
                    batch
                        .column(0)
                        .toLongArray()
                        .sum()
                delay(consumerPace)
                timeline.consumer("done, requests 1 more", waiting.get())
            }
            timeline.consumer("end of the stream", waiting.get())
            producer.join()
            sum
        }

    /** The producer: sends a batch for each request, then ends the stream and releases the handler. */
    private fun produce(handler: CAsyncDeviceStreamHandlerStruct) {
        val requested = Semaphore(0)
        val listener =
            object : AsyncExport.Listener {
                override fun onRequest() {
                    timeline.producer("is asked for more", waiting.get())
                    requested.release()
                }

                override fun onCancel() {
                    requested.release()
                }
            }
        val export = AsyncExport.open(handler, SCHEMA.toStruct(), DeviceType.CPU, Metadata.EMPTY, listener)
        try {
            timeline.producer("schema", 0)
            if (!export.start()) return
            for (number in 0 until BATCHES) {
                if (export.demand == 0L) timeline.producer("waits: no demand", waiting.get())
                while (export.demand == 0L && !export.isCancelled) requested.acquire()
                if (export.isCancelled) return
                val now = waiting.incrementAndGet()
                mostWaiting.accumulateAndGet(now, ::maxOf)
                timeline.producer("task $number, demand was ${export.demand}", now)
                if (!export.offer(work(number), Metadata.EMPTY)) return
            }
            timeline.producer("no more", waiting.get())
            export.end()
        } finally {
            export.release()
            timeline.producer("release", waiting.get())
        }
    }

    /** The batch is made when the task is extracted, on the consumer's thread. */
    private fun work(number: Int): AsyncWork =
        object : AsyncWork {
            override fun extract(): DeviceArray {
                waiting.decrementAndGet()
                return batch(number).intoStruct()
            }

            override fun discard() {
                waiting.decrementAndGet()
            }
        }

    private fun batch(number: Int): RecordBatch =
        RecordBatchBuilder.of(SCHEMA).use { builder ->
            builder.column(0).appendAll(LongArray(ROWS) { number.toLong() * ROWS + it })
            builder.finish()
        }
}

/** Runs the sample. */
public object AsyncExchangeMain {
    /** Needs no arguments. */
    @JvmStatic
    public fun main(args: Array<String>) {
        val exchange = AsyncExchange(consumerPace = 20.milliseconds)
        val sum = exchange.run()
        println(exchange.timeline)
        println("sum $sum, at most ${exchange.mostWaiting} tasks waited, the window is $WINDOW")
        val counters = ArrowCounters.now()
        println("${counters.exchangedArrays()} arrays exchanged, ${counters.unreleased()} unreleased")
    }
}
