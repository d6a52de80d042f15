package dev.arrowdevice.adbc

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.adbc.DatabaseContract.Companion.sum
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.device.SimulatedDevice
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withTimeout
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

/**
 * What each database does when it is cancelled, or gets what it can't take. Each test ends with a connection that
 * works.
 *
 * @property longResult SQL whose rows have no end to speak of, and arrive in batches
 * @property longWork SQL that works for minutes before it has a row; null if the driver can't cancel it
 * @property longUpdate the same for a driver that executes no query as an update
 * @property resultsAtOnce whether statements of a connection can have results at the same time
 * @property lacking a type that the driver can't ingest, and a value of it
 */
internal class FaultContract(
    private val name: String,
    private val open: () -> AdbcDatabase,
    private val longResult: String,
    private val longWork: String?,
    private val lacking: Pair<ArrowType, Any>,
    private val longUpdate: String? = null,
    private val resultsAtOnce: Boolean = true,
) {
    private suspend fun connected(block: suspend CoroutineScope.(AdbcConnection) -> Unit) {
        val before = ArrowCounters.now().unreleased()
        ReleaseBalance.start().use {
            open().use { database ->
                database.connect().use { connection ->
                    coroutineScope { block(connection) }
                    connection.query("SELECT 42 AS n").sum() shouldBe 42
                }
            }
        }
        ArrowCounters.now().unreleased() shouldBe before
    }

    fun tests(spec: FunSpec) =
        with(spec) {
            cancellations()
            threads()
            refusals()
        }

    private fun FunSpec.cancellations() {
        test("$name: a cancel before and after a query does nothing") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("SELECT 7 AS n")
                    repeat(2) {
                        statement.cancelIfItCan()
                        statement.executeQuery().use { result -> result.nextBatch()!!.use { it.sum() shouldBe 7 } }
                        statement.cancelIfItCan()
                    }
                }
            }
        }

        for (prefetch in listOf(0, 2)) {
            test("$name: a collector with prefetch $prefetch that is cancelled in the middle of a result ends it") {
                connected { connection -> connection.cancelled(batches = 1, prefetch = prefetch) }
            }
        }

        test("$name: a collector that has enough of an endless result ends it") {
            connected { connection ->
                withTimeout(PATIENCE) { connection.query(longResult).first().isLive shouldBe false }
            }
        }

        if (longWork != null) {
            test("$name: a time-out ends a query that works and has no row yet") {
                connected { connection ->
                    withTimeout(PATIENCE) {
                        shouldThrow<TimeoutCancellationException> {
                            withTimeout(200.milliseconds) { connection.query(longWork).collect() }
                        }
                    }
                }
            }

            test("$name: a time-out ends an update that works") {
                connected { connection ->
                    withTimeout(PATIENCE) {
                        shouldThrow<TimeoutCancellationException> {
                            withTimeout(200.milliseconds) { connection.update(longUpdate ?: longWork) }
                        }
                    }
                }
            }
        }

        val queries = QUERIES * Integer.getInteger("stress", 1)
        test("$name: after $queries cancelled queries the connection works, and nothing is left") {
            val seed = java.lang.Long.getLong("stress.seed") ?: System.nanoTime()
            val random = Random(seed)
            connected { connection ->
                repeat(queries) { number ->
                    withClue("query $number of -Dstress.seed=$seed") {
                        connection.cancelled(batches = random.nextInt(3), prefetch = random.nextInt(3))
                        if (random.nextInt(10) == 0) connection.query("SELECT 7 AS n").sum() shouldBe 7
                    }
                }
            }
        }
    }

    /** Cancels a collector when it has had so many batches; with 0 the query may not even have begun. */
    private suspend fun AdbcConnection.cancelled(
        batches: Int,
        prefetch: Int,
    ) = withTimeout(PATIENCE) {
        coroutineScope {
            val reached = CompletableDeferred<Unit>()
            var collected = 0
            val collector =
                launch(Dispatchers.Default) {
                    query(longResult, prefetch = prefetch).collect {
                        if (++collected == batches) reached.complete(Unit)
                    }
                }
            if (batches > 0) reached.await()
            collector.cancelAndJoin()
            collector.isCancelled shouldBe true
        }
    }

    private fun AdbcStatement.cancelIfItCan() {
        if (longWork != null) {
            cancel()
        } else {
            shouldThrow<AdbcException> { cancel() }.status shouldBe AdbcStatus.NOT_IMPLEMENTED
        }
    }

    private fun FunSpec.threads() {
        test("$name: threads on one statement wait for each other, and a result that another one ended says so") {
            connected { connection ->
                connection.createStatement().use { statement ->
                    statement.setSqlQuery("SELECT 7 AS n")
                    val outcomes =
                        List(THREADS) {
                            async(Dispatchers.IO) {
                                List(QUERIES_OF_A_THREAD) {
                                    runCatching { statement.executeQuery().use { result -> result.onlyNumber() } }
                                }
                            }
                        }.awaitAll().flatten()
                    outcomes.mapNotNull { it.getOrNull() }.forEach { it shouldBe 7 }
                    outcomes.mapNotNull { it.exceptionOrNull() }.forEach {
                        it.shouldBeInstanceOf<IllegalStateException>().message shouldContain "executed again"
                    }
                }
            }
        }

        val manner = if (resultsAtOnce) "at once" else "one result after the other"
        test("$name: threads with a statement each, on one connection, get their results, $manner") {
            connected { connection ->
                val turn = Semaphore(if (resultsAtOnce) THREADS else 1)
                List(THREADS) { thread ->
                    async(Dispatchers.IO) {
                        repeat(QUERIES_OF_A_THREAD) {
                            turn.withPermit {
                                val number = connection.executeQuery("SELECT $thread AS n").use { it.onlyNumber() }
                                number shouldBe thread.toLong()
                            }
                        }
                    }
                }.awaitAll()
            }
        }
    }

    private fun DeviceArrayStream.onlyNumber(): Long = nextBatch()!!.use { it.sum() }

    private fun FunSpec.refusals() {
        test("$name: a column of type ${lacking.first}, which the driver lacks, is refused") {
            val (type, value) = lacking
            connected { connection ->
                val column = deviceArray(type) { add(value) }
                RecordBatch.of(Schema.of(Field.nullable("x", type)), listOf(column)).use { batch ->
                    shouldThrow<AdbcException> {
                        connection.ingest(IngestTarget.table("lacking", IngestMode.CREATE), batch)
                    }
                    batch.isLive shouldBe true
                }
            }
        }

        test("$name: a batch on a GPU is refused, and says how to get it from there") {
            SimulatedDevice.open(0).use { gpu ->
                connected { connection ->
                    recordBatch(device = gpu.runtime()) { column<Long>("n") { addAll(1L..3L) } }.use { batch ->
                        shouldThrow<IllegalArgumentException> {
                            connection.ingest(IngestTarget.table("on_gpu", IngestMode.CREATE), batch)
                        }.message shouldContain "copyTo(Device.CPU)"
                        batch.isLive shouldBe true
                    }
                }
            }
        }
    }

    private companion object {
        const val QUERIES = 300
        const val THREADS = 4
        const val QUERIES_OF_A_THREAD = 50

        /** A cancel that gets lost would take for ever. */
        val PATIENCE = 60.seconds
    }
}
