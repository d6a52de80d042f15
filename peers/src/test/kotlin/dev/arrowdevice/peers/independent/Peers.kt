package dev.arrowdevice.peers.independent

import dev.arrowdevice.peers.GoCompiler
import dev.arrowdevice.peers.RustCompiler
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import java.nio.file.Path

private fun sources(vararg path: String): Path =
    Path.of(System.getProperty("basedir", ""), "src", "test", *path).toAbsolutePath()

internal val arrowRs =
    IndependentPeer("arrow-rs") { RustCompiler.sharedLibrary("rustpeer", sources("rust", "rustpeer")) }

internal val arrowGo = IndependentPeer("arrow-go") { GoCompiler.sharedLibrary("gopeer", sources("go", "gopeer")) }

/** A test that is skipped, with the reason, where there is no such peer. At the end everything was released. */
internal fun FunSpec.testWith(
    peer: IndependentPeer,
    name: String,
    body: () -> Unit,
) = test(name).config(
    enabledOrReasonIf = { peer.whyUnavailable?.let(Enabled::disabled) ?: Enabled.enabled },
) {
    ReleaseBalance.start(peer).use { body() }
}
