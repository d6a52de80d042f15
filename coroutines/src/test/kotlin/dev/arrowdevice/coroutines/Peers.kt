package dev.arrowdevice.coroutines

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.addAll
import dev.arrowdevice.importStream
import dev.arrowdevice.peers.CPeer
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.extensions.TestCaseExtension
import io.kotest.core.test.TestCase
import io.kotest.engine.test.TestResult
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import java.util.concurrent.atomic.AtomicInteger

internal val peer: CPeer = CPeer.load()

/** A stream of the C peer with one int32 column `n` of three rows; batch k begins with 11 + k. */
internal val numbers: PeerField = PeerField.batch(PeerField.of("n", "i"))

internal val numberSchema: Schema = Schema.of(Field.nullable("n", ArrowType.INT32))

internal fun batchOf(vararg values: Int): RecordBatch = recordBatch { column<Int>("n") { addAll(values.asList()) } }

/** The number of a batch: its first value. */
internal fun RecordBatch.number(): Int = column(0).getInt(0)

/** A flow of batches of one row each, numbered from 0, borrowed like those of streams. */
internal fun numberFlow(count: Int): Flow<RecordBatch> = flow { repeat(count) { emitBatch(batchOf(it)) } }

/** A stream of the C peer, closed in the end if nobody else has taken it over. */
internal inline fun <T> withPeerStream(
    options: PeerStreamOptions,
    test: (DeviceArrayStream) -> T,
): T = importStream { peer.produceStream(numbers, PeerOptions.rows(3), options, it.address) }.use(test)

/** A stream in this process that knows what was done with it; batch k holds k. */
internal class Source(
    private val count: Int,
    private val onPull: (Int) -> Unit = {},
) {
    val pulled = AtomicInteger()
    val closed = AtomicInteger()

    val stream: DeviceArrayStream =
        DeviceArrayStream.of(
            numberSchema,
            DeviceType.CPU,
            object : Iterator<RecordBatch> {
                override fun hasNext() = pulled.get() < count

                override fun next(): RecordBatch {
                    val number = pulled.getAndIncrement()
                    onPull(number)
                    return batchOf(number)
                }
            },
        ) { closed.incrementAndGet() }
}

/** Around every test: what it took it gave back, exactly once, the C peer's structures included. */
internal object Balance : TestCaseExtension {
    override suspend fun intercept(
        testCase: TestCase,
        execute: suspend (TestCase) -> TestResult,
    ): TestResult {
        val balance = ReleaseBalance.start(peer)
        val result = execute(testCase)
        val unbalanced = balance.unbalanced()
        if (unbalanced.isEmpty() || result.isErrorOrFailure) return result
        return TestResult.Failure(result.duration, AssertionError("not released: " + unbalanced.joinToString("; ")))
    }
}
