package dev.arrowdevice.coroutines

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.FlowPreview
import kotlinx.coroutines.channels.consume
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.SharingStarted
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.collectLatest
import kotlinx.coroutines.flow.combine
import kotlinx.coroutines.flow.conflate
import kotlinx.coroutines.flow.debounce
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flatMapMerge
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.mapLatest
import kotlinx.coroutines.flow.merge
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.produceIn
import kotlinx.coroutines.flow.reduce
import kotlinx.coroutines.flow.sample
import kotlinx.coroutines.flow.shareIn
import kotlinx.coroutines.flow.single
import kotlinx.coroutines.flow.stateIn
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.timeout
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.zip
import kotlinx.coroutines.withContext
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes

/** Operators that keep a batch for later and come back at once; and so the batch is closed when it is used. */
@OptIn(ExperimentalCoroutinesApi::class, FlowPreview::class)
internal val keepingOperators: List<FlowOperator> =
    operators {
        throws("flowOn") { batches -> batches.flowOn(Dispatchers.Default).map { use(it) }.toList() }
            .insteadPulled { open -> open().asFlow(context = Dispatchers.Default).map { use(it) }.toList() }
            .instead { batches -> batches.map { use(it) }.flowOn(Dispatchers.Default).toList() }
            .instead { batches -> withContext(Dispatchers.Default) { batches.map { use(it) }.toList() } }
        throws("buffer") { batches -> batches.buffer(4).map { use(it) }.toList() }
            .insteadPulled { open -> open().asFlow(prefetch = 4).map { use(it) }.toList() }
            .insteadAsync { start -> asyncDeviceStream(window = 4) { start(it) }.map { use(it) }.toList() }
            .instead { batches -> batches.map { use(it) }.buffer(4).toList() }
        throws("conflate", Some) { batches -> batches.conflate().map { use(it) }.toList() }
            .instead { batches -> batches.map { use(it) }.conflate().toList() }
        throws("toList") { batches -> batches.toList().map { use(it) } }
            .instead { batches -> batches.collectBatches().use { all -> all.map { use(it) } } }
            .instead { batches -> batches.map { use(it) }.toList() }
        throws("chunked", listOf(23, 27, 31)) { batches ->
            batches
                .chunked(2)
                .map { two ->
                    two.sumOf { use(it) }
                }.toList()
        }.instead { batches ->
            batches
                .map { use(it) }
                .chunked(2)
                .map { two -> two.sum() }
                .toList()
        }
        throws("first", 11) { batches -> use(batches.first()) }
            .instead { batches -> batches.map { use(it) }.first() }
        throws("last", 16) { batches -> use(batches.last()) }
            .instead { batches -> batches.map { use(it) }.last() }
        throws("single", 11) { batches -> use(batches.take(1).single()) }
            .instead { batches -> batches.take(1).map { use(it) }.single() }
        throws("reduce", 81) { batches -> batches.map { it to 0 }.reduce { a, b -> b.first to use(a.first) }.second }
            .instead { batches -> batches.map { use(it) }.reduce { a, b -> a + b } }
        throws("zip, on the right") { batches -> (1..6).asFlow().zip(batches) { _, batch -> use(batch) }.toList() }
            .instead { batches -> (1..6).asFlow().zip(batches.map { use(it) }) { _, number -> number }.toList() }
        throws("combine", Some) { batches -> batches.combine(flowOf(0)) { batch, n -> use(batch) + n }.toList() }
            .instead { batches -> batches.map { use(it) }.combine(flowOf(0)) { number, n -> number + n }.toList() }
        throws("merge") { batches -> merge(batches, emptyFlow()).map { use(it) }.toList() }
            .instead { batches -> merge(batches.map { use(it) }, emptyFlow()).toList() }
        throws("flatMapMerge") { batches -> batches.flatMapMerge { flow { emit(use(it)) } }.toList() }
            .instead { batches -> batches.map { use(it) }.flatMapMerge { flowOf(it) }.toList() }
            .insteadPulled { open -> flowOf(open()).flatMapMerge { it.asFlow().map { batch -> use(batch) } }.toList() }
        throws("mapLatest", Some) { batches -> batches.mapLatest { use(it) }.toList() }
            .instead { batches -> batches.map { use(it) }.mapLatest { it }.toList() }
        throws("collectLatest", Unit) { batches -> batches.collectLatest { use(it) } }
            .instead { batches -> batches.map { use(it) }.collectLatest { check(it > 0) } }
        throws("debounce", Some) { batches -> batches.debounce(1.milliseconds).map { use(it) }.toList() }
            .instead { batches -> batches.map { use(it) }.debounce(1.milliseconds).toList() }
        throws("sample", Some) { batches ->
            batches
                .onEach { delay(20.milliseconds) }
                .sample(1.milliseconds)
                .map { use(it) }
                .toList()
        }.instead { batches ->
            batches
                .map { use(it) }
                .onEach { delay(2.milliseconds) }
                .sample(1.milliseconds)
                .toList()
        }
        throws("timeout") { batches -> batches.timeout(1.minutes).map { use(it) }.toList() }
            .instead { batches -> batches.map { use(it) }.timeout(1.minutes).toList() }
        throws("shareIn") { batches ->
            coroutineScope {
                batches
                    .shareIn(this, SharingStarted.Lazily, replay = 6)
                    .take(6)
                    .map { use(it) }
                    .toList()
            }
        }.instead { batches ->
            coroutineScope {
                batches
                    .map { use(it) }
                    .shareIn(this, SharingStarted.Lazily, replay = 6)
                    .take(6)
                    .toList()
            }
        }
        throws("stateIn", 16) { batches -> coroutineScope { use(batches.stateIn(this).value) } }
            .instead { batches -> coroutineScope { batches.map { use(it) }.stateIn(this).first { it == 16 } } }
        throws("produceIn", 11) { batches -> coroutineScope { batches.produceIn(this).consume { use(receive()) } } }
            .instead { batches -> coroutineScope { batches.map { use(it) }.produceIn(this).consume { receive() } } }
    }
