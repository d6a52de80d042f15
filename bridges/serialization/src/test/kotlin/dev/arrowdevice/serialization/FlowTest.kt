package dev.arrowdevice.serialization

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.coroutines.flowOfBatches
import dev.arrowdevice.values
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.SerializationException

/** Flows of objects and of batches. */
class FlowTest :
    FunSpec({
        extension(Balance)

        fun orders(count: Int): List<Order> = List(count) { Order(it.toLong(), "c$it") }

        test("objects are chunked to batches of so many rows, the last one of the rest") {
            runBlocking {
                val batches = orders(7).asFlow().chunkedToBatches(3)
                batches.map { it.rowCount }.toList() shouldContainExactly listOf(3L, 3L, 1L)
                batches.map { it.values<Long>("id").toList() }.toList().flatten() shouldBe (0L..6L).toList()
                orders(6)
                    .asFlow()
                    .chunkedToBatches(3)
                    .map { it.rowCount }
                    .toList() shouldContainExactly listOf(3L, 3L)
                emptyFlow<Order>().chunkedToBatches(3).toList() shouldBe emptyList<RecordBatch>()
            }
        }

        test("batches are borrowed: closed when emit returns") {
            var kept: RecordBatch? = null
            runBlocking { orders(2).asFlow().chunkedToBatches(2).collect { kept = it } }
            kept!!.isLive shouldBe false
        }

        test("rows of batches are objects, which may be buffered") {
            runBlocking {
                val rows: Flow<Order> = orders(10).asFlow().chunkedToBatches(4).rows()
                rows.buffer(2).toList() shouldBe orders(10)
            }
        }

        test("batches that nobody else owns are closed when they are read") {
            val batches = List(2) { recordBatchOf(orders(3)) }
            runBlocking {
                batches
                    .asFlow()
                    .rows<Order>()
                    .toList()
                    .size shouldBe 6
            }
            batches.none { it.isLive } shouldBe true
        }

        test("a collector that has enough releases what is built and what is read") {
            runBlocking {
                orders(100)
                    .asFlow()
                    .chunkedToBatches(3)
                    .take(2)
                    .map { it.rowCount }
                    .toList() shouldBe listOf(3L, 3L)
                orders(100)
                    .asFlow()
                    .chunkedToBatches(3)
                    .rows<Order>()
                    .take(4)
                    .toList() shouldBe orders(4)
            }
        }

        test("a cancelled collection releases the rows that no batch has yet") {
            runBlocking {
                val reached = CompletableDeferred<Unit>()
                val endless =
                    flow {
                        emitAllOf(orders(5))
                        reached.complete(Unit)
                        awaitCancellation()
                    }
                val job = launch(Dispatchers.Default) { endless.chunkedToBatches(3).collect { } }
                reached.await()
                job.cancelAndJoin()
            }
        }

        test("a cancelled collector of rows closes the batch") {
            runBlocking {
                val reached = CompletableDeferred<Unit>()
                val batches = flowOfBatches { while (true) emit(recordBatchOf(orders(5))) }
                val job =
                    launch(Dispatchers.Default) {
                        batches.rows<Order>().collect {
                            reached.complete(Unit)
                            awaitCancellation()
                        }
                    }
                reached.await()
                job.cancelAndJoin()
            }
        }

        test("a row that does not fit fails the collection with the row of the flow") {
            val rows = orders(5) + Order(5, "\uD800")
            runBlocking {
                shouldThrow<SerializationException> { rows.asFlow().chunkedToBatches(2).collect { } }
                    .message!!
                    .startsWith("Order.customer, row 5: ") shouldBe true
            }
        }

        test("a batch of no rows is refused") {
            shouldThrow<IllegalArgumentException> { orders(1).asFlow().chunkedToBatches(0) }.message shouldBe
                "chunkedToBatches(0): a batch has at least one row"
        }
    })

private suspend fun kotlinx.coroutines.flow.FlowCollector<Order>.emitAllOf(orders: List<Order>) {
    for (order in orders) emit(order)
}
