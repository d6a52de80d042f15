package dev.arrowdevice.peers.independent

import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.StructType
import dev.arrowdevice.UnionType
import io.kotest.core.spec.style.FunSpec

/** arrow-go, which shares no code with any other peer. */
class ArrowGoTest :
    FunSpec({
        val limits =
            PeerLimits(
                Kept(metadataOrder = true, runFields = false, ordered = false, mapEntries = false),
                refused = { it is FixedSizeListType && it.listSize() == 0 },
                withoutOffset = { it is StructType || it is UnionType },
                notBuilt = { it is UnionType },
            )
        arrayTests(arrowGo, limits)
        streamTests(arrowGo, "the gopher is gone")
        randomTests(arrowGo, limits)
    })
