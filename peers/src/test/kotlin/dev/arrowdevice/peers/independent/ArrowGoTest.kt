package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.StructType
import dev.arrowdevice.TypeId
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
                notBuilt = { it is UnionType || hasFloats(it) },
            )
        arrayTests(arrowGo, limits)
        streamTests(arrowGo, "the gopher is gone")
        randomTests(arrowGo, limits)
    })

/** A dictionary with a NaN is not the same as itself, and then arrow-go fails to unify the two. */
private fun hasFloats(type: ArrowType) =
    type is DictionaryType &&
        type.valueType().contains { it.id() in listOf(TypeId.FLOAT16, TypeId.FLOAT32, TypeId.FLOAT64) }
