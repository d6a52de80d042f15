package dev.arrowdevice.peers.independent

import dev.arrowdevice.ExtensionType
import io.kotest.core.spec.style.FunSpec

/** arrow-rs, which shares no code with any other peer. */
class ArrowRsTest :
    FunSpec({
        val limits =
            PeerLimits(
                Kept(metadataOrder = false, runFields = true, ordered = true, mapEntries = true),
                refused = { it is ExtensionType && it.name() == "test.unknown" },
            )
        arrayTests(arrowRs, limits)
        streamTests(arrowRs, "the crab is gone")
        randomTests(arrowRs, limits)
    })
