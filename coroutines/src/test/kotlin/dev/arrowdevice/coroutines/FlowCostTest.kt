package dev.arrowdevice.coroutines

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.doubles.shouldBeLessThanOrEqual
import kotlinx.coroutines.Dispatchers
import kotlin.coroutines.EmptyCoroutineContext

private const val MOST = 1_000.0

class FlowCostTest :
    FunSpec({
        extension(Balance)

        test("a flow costs at most a microsecond a batch more than the loop over nextBatch") {
            var least = FlowCosts().here()
            println(least)
            // Whatever else the machine does only adds to the cost.
            var rounds = 4
            while (least.nanosMore > MOST && rounds-- > 0) {
                least = FlowCosts().here()
                println(least)
            }
            withClue(least) { least.nanosMore shouldBeLessThanOrEqual MOST }
        }

        test("what prefetching and changing the thread cost is printed") {
            val costs = FlowCosts(rounds = 11)
            println(costs.elsewhere("asFlow(EmptyCoroutineContext, prefetch = 1)", EmptyCoroutineContext, 1))
            println(costs.elsewhere("asFlow(EmptyCoroutineContext, prefetch = 4)", EmptyCoroutineContext, 4))
            println(costs.elsewhere("asFlow()", StreamDispatcher, 0))
            println(costs.elsewhere("asFlow(prefetch = 1)", StreamDispatcher, 1))
            println(costs.elsewhere("asFlow(prefetch = 4)", StreamDispatcher, 4))
            println(costs.elsewhere("asFlow(Dispatchers.Default)", Dispatchers.Default, 0))
        }
    })
