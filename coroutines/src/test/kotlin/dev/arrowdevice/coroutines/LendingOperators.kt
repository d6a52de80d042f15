package dev.arrowdevice.coroutines

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.cancellable
import kotlinx.coroutines.flow.catch
import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.distinctUntilChangedBy
import kotlinx.coroutines.flow.drop
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.flatMapConcat
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.fold
import kotlinx.coroutines.flow.launchIn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.onStart
import kotlinx.coroutines.flow.retry
import kotlinx.coroutines.flow.runningFold
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.transform
import kotlinx.coroutines.flow.zip
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** Operators that pass a batch on and return when the next step is done with it. */
@OptIn(ExperimentalCoroutinesApi::class)
internal val lendingOperators: List<FlowOperator> =
    operators {
        works("collect") { batches -> buildList { batches.collect { add(use(it)) } } }
        works("map") { batches -> batches.map { use(it) }.toList() }
        works("mapBatches") { batches -> batches.mapBatches { it.slice(0, 1) }.map { use(it) }.toList() }
        works("collectBatches") { batches -> batches.collectBatches().use { all -> all.map { use(it) } } }
        works("transform, to several", allNumbers.flatMap { listOf(it, it) }) { batches ->
            batches.transform { repeat(2) { _ -> emitBatch(it.slice(0, 1)) } }.map { use(it) }.toList()
        }
        works("filter", listOf(11, 13, 15)) { batches ->
            batches.filter { use(it) % 2 == 1 }.map { use(it) }.toList()
        }
        works("transform") { batches -> batches.transform { emit(use(it)) }.toList() }
        works("onEach") { batches -> batches.onEach { use(it) }.map { use(it) }.toList() }
        works("onStart", listOf(0) + allNumbers) { batches -> batches.map { use(it) }.onStart { emit(0) }.toList() }
        works("onCompletion", allNumbers + 0) { batches -> batches.map { use(it) }.onCompletion { emit(0) }.toList() }
        works("catch", whenFailing = listOf(11, 12, 13, -1)) { batches ->
            batches.map { use(it) }.catch { emit(-1) }.toList()
        }
        works("take", listOf(11, 12, 13), listOf(11, 12, 13)) { batches ->
            batches.take(3).map { use(it) }.toList()
        }
        works("takeWhile", listOf(11, 12), listOf(11, 12)) { batches ->
            batches.takeWhile { use(it) < 13 }.map { use(it) }.toList()
        }
        works("drop", listOf(15, 16)) { batches -> batches.drop(4).map { use(it) }.toList() }
        works("distinctUntilChangedBy", listOf(11, 12, 14, 16)) { batches ->
            batches.distinctUntilChangedBy { it.number() / 2 }.map { use(it) }.toList()
        }
        works("flatMapConcat") { batches -> batches.flatMapConcat { flow { emit(use(it)) } }.toList() }
        works("zip, on the left") { batches -> batches.zip((1..6).asFlow()) { batch, _ -> use(batch) }.toList() }
        works("runningFold", listOf(0, 11, 23, 36, 50, 65, 81)) { batches ->
            batches.runningFold(0) { sum, batch -> sum + use(batch) }.toList()
        }
        works("fold", 81) { batches -> batches.fold(0) { sum, batch -> sum + use(batch) } }
        works("count", 6) { batches -> batches.count() }
        works("cancellable") { batches -> batches.cancellable().map { use(it) }.toList() }
        works("launchIn", Unit) { batches -> coroutineScope { batches.onEach { use(it) }.launchIn(this).join() } }
        works("withTimeout") { batches -> withTimeout(1.minutes) { batches.map { use(it) }.toList() } }
        works("withTimeoutOrNull, the time being up", gives = null) { batches ->
            withTimeoutOrNull(5.milliseconds) { batches.collect { awaitCancellation() } }
        }
        needsNewStream("collect twice", 12) { batches -> batches.count() + batches.count() }
            .insteadPulled { open -> open().asFlow().count() + open().asFlow().count() }
        needsNewStream("retry", listOf(11, 12) + allNumbers) { batches ->
            batches.map { failsOnce(use(it)) }.retry(1).toList()
        }.insteadPulled { open ->
            flow { emitAll(open().asFlow()) }.map { failsOnce(use(it)) }.retry(1).toList()
        }
    }
