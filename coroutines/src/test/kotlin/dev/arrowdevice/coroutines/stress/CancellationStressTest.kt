package dev.arrowdevice.coroutines.stress

import dev.arrowdevice.coroutines.Balance
import io.kotest.core.spec.style.FunSpec

/**
 * A cancellation strikes at every suspension point and in every callback, on the threads of both parties. Whatever it
 * meets: what was produced was delivered or discarded, each once, and each was released once.
 *
 * A thousand runs, times the system property `stress`. A failed one says its seed: `-Dstress.seed=` begins with it.
 */
class CancellationStressTest :
    FunSpec({
        extension(Balance)

        test("a foreign stream as a flow") { Runs("stream as flow", StreamAsFlow.points, StreamAsFlow).repeat(250) }

        test("a foreign async stream as a flow") { Runs("async as flow", AsyncAsFlow.points, AsyncAsFlow).repeat(250) }

        test("a flow as a stream") { Runs("flow as stream", FlowAsStream.points, FlowAsStream).repeat(250) }

        test("a pipeline of streams and flows") { Runs("pipeline", Pipeline.points, Pipeline).repeat(250) }

        test("a flow as an async stream") { Runs("flow as async", FlowAsAsync.points, FlowAsAsync).repeat(250) }
    })
