package dev.arrowdevice.serialization.internal

import dev.arrowdevice.Schema
import dev.arrowdevice.serialization.ArrowFormat
import kotlinx.serialization.descriptors.SerialDescriptor
import java.util.concurrent.ConcurrentHashMap

/** The schemas and plans of a format, each made once. */
internal class Plans(
    private val format: ArrowFormat,
) {
    private val schemas = ConcurrentHashMap<ByIdentity, Schema>()
    private val writing = ConcurrentHashMap<Pair<ByIdentity, Schema>, BatchPlan>()
    private val reading = ConcurrentHashMap<Pair<ByIdentity, Schema>, BatchPlan>()

    fun schemaOf(root: SerialDescriptor): Schema =
        schemas.bounded(ByIdentity(root)) { TypeDerivation(format).schemaOf(root) }

    fun writing(
        root: SerialDescriptor,
        schema: Schema,
    ): BatchPlan = writing.bounded(ByIdentity(root) to schema) { PlanCompiler(format, true).compile(root, schema) }

    fun reading(
        root: SerialDescriptor,
        schema: Schema,
    ): BatchPlan = reading.bounded(ByIdentity(root) to schema) { PlanCompiler(format, false).compile(root, schema) }

    /** Serializers of generic classes are made anew for each use, so the number of keys has no bound of its own. */
    private fun <K : Any, V : Any> ConcurrentHashMap<K, V>.bounded(
        key: K,
        make: () -> V,
    ): V = get(key) ?: make().also { if (size >= MOST) clear() }.also { put(key, it) }

    /** Descriptors that are equal may differ in their annotations. */
    private class ByIdentity(
        private val descriptor: SerialDescriptor,
    ) {
        override fun hashCode(): Int = System.identityHashCode(descriptor)

        override fun equals(other: Any?): Boolean = other is ByIdentity && descriptor === other.descriptor
    }

    private companion object {
        const val MOST = 256
    }
}

/** How rows of a class pass to or from batches of a schema. */
internal class BatchPlan(
    val root: SerialDescriptor,
    val schema: Schema,
    val rows: Node,
)
