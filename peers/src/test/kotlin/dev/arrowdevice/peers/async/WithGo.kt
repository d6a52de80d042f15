package dev.arrowdevice.peers.async

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.peers.go.GoLibrary
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.shouldBe

private val whyUnavailable: String? by lazy {
    GoLibrary.whyUnavailable()?.also { println("The tests with arrow-go are skipped. $it") }
}

/**
 * A test that is skipped, with the reason, if arrow-go is not available. At the end both libraries must have released
 * everything.
 */
internal fun FunSpec.testWithGo(
    name: String,
    body: () -> Unit,
) = test(name).config(enabledOrReasonIf = { whyUnavailable?.let(Enabled::disabled) ?: Enabled.enabled }) {
    val before = held()
    body()
    withClue("bytes of Go, buffers, unreleased exports and imports that are still held, against before") {
        held() shouldBe before
    }
}

private fun held(): List<Long> {
    val now = ArrowCounters.now()
    return listOf(
        GoLibrary.bytesAllocated(),
        now.hostBuffers(),
        now.unreleasedExports(),
        now.unreleasedImports(),
    )
}
