package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.Schema

/**
 * What a peer can't do. Each is a type that contains, at any depth, one that the function says yes to.
 *
 * @param kept what it keeps of a schema
 * @param refused what it doesn't import
 * @param withoutOffset what it exports wrongly if the array has an offset
 * @param notBuilt what it can't build
 */
internal class PeerLimits(
    val kept: Kept,
    private val refused: (ArrowType) -> Boolean = { false },
    private val withoutOffset: (ArrowType) -> Boolean = { false },
    private val notBuilt: (ArrowType) -> Boolean = { false },
) {
    fun imports(type: ArrowType) = !type.contains(refused)

    fun imports(schema: Schema) = schema.fields().all { imports(it.type()) }

    fun exportsOffsets(type: ArrowType) = !type.contains(withoutOffset)

    fun exportsOffsets(schema: Schema) = schema.fields().all { exportsOffsets(it.type()) }

    fun builds(type: ArrowType) = !type.contains(notBuilt)

    fun builds(schema: Schema) = schema.fields().all { builds(it.type()) }
}

internal fun ArrowType.contains(wanted: (ArrowType) -> Boolean): Boolean {
    val storage = storageType()
    if (wanted(this) || wanted(storage)) return true
    val inner = storage.children().map { it.type() } + listOfNotNull((storage as? DictionaryType)?.valueType())
    return inner.any { it.contains(wanted) }
}
