package dev.arrowdevice.serialization

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.serialization.internal.BatchWriter
import dev.arrowdevice.serialization.internal.Plans
import dev.arrowdevice.serialization.internal.readRows
import kotlinx.serialization.DeserializationStrategy
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.SerialFormat
import kotlinx.serialization.SerializationStrategy
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.modules.SerializersModule
import kotlinx.serialization.modules.overwriteWith

/**
 * Classes as rows of record batches. The [companion object][Default] is the format with default settings; others are
 * made by the function of this name:
 *
 * <!-- given @Serializable sealed interface Event
 * lateinit var events: List<Event> -->
 * ```kotlin
 * val format = ArrowFormat { discriminator = "kind" }
 * val batch = recordBatchOf(events, format)
 * ```
 *
 * A format compiles the way between a class and a schema once and keeps it, so make it once too. It may be used by
 * any number of threads.
 *
 * @property unions whether sealed hierarchies are dense unions, see [DenseUnion]
 * @property discriminator the name of the field that names the class of a sealed hierarchy
 */
public sealed class ArrowFormat(
    override val serializersModule: SerializersModule,
    public val unions: Boolean,
    public val discriminator: String,
) : SerialFormat {
    private val plans = Plans(this)

    /** The default settings: [ArrowSerializersModule], no unions, the discriminator `type`. */
    public companion object Default : ArrowFormat(ArrowSerializersModule, false, "type")

    internal class Custom(
        module: SerializersModule,
        unions: Boolean,
        discriminator: String,
    ) : ArrowFormat(module, unions, discriminator)

    /** The schema of a class, see [dev.arrowdevice.serialization.schemaOf]. */
    public fun schemaOf(descriptor: SerialDescriptor): Schema = plans.schemaOf(descriptor)

    /**
     * Builds a record batch, see [recordBatchOf]. The caller closes it.
     *
     * @param schema of the batch; null for that of [schemaOf]
     */
    public fun <T : Any> encodeToBatch(
        serializer: SerializationStrategy<T>,
        rows: Iterable<T>,
        schema: Schema? = null,
    ): RecordBatch =
        writer(serializer, schema).use { writer ->
            for (row in rows) writer.add(row)
            writer.finish()
        }

    /** The rows of a batch as objects, see [toList]. */
    public fun <T : Any> decodeFromBatch(
        deserializer: DeserializationStrategy<T>,
        batch: RecordBatch,
    ): List<T> = readRows(plans.reading(deserializer.descriptor, batch.schema), deserializer, batch, serializersModule)

    internal fun <T : Any> writer(
        serializer: SerializationStrategy<T>,
        schema: Schema?,
    ): BatchWriter<T> {
        val descriptor = serializer.descriptor
        return BatchWriter(
            plans.writing(descriptor, schema ?: plans.schemaOf(descriptor)),
            serializer,
            serializersModule,
        )
    }
}

/** The settings of a new [ArrowFormat]. */
public class ArrowFormatBuilder internal constructor(
    from: ArrowFormat,
) {
    /** Serializers for `@Contextual` properties and open hierarchies. Those of [ArrowSerializersModule] come along. */
    public var serializersModule: SerializersModule = from.serializersModule

    /** Whether sealed hierarchies are dense unions, as if each had [DenseUnion]. */
    public var unions: Boolean = from.unions

    /** The name of the field that names the class of a sealed hierarchy. */
    public var discriminator: String = from.discriminator

    @OptIn(ExperimentalSerializationApi::class)
    internal fun build(): ArrowFormat =
        ArrowFormat.Custom(ArrowSerializersModule.overwriteWith(serializersModule), unions, discriminator)
}

/** Makes a format. What [block] does not set is as in [from]. */
public fun ArrowFormat(
    from: ArrowFormat = ArrowFormat,
    block: ArrowFormatBuilder.() -> Unit,
): ArrowFormat = ArrowFormatBuilder(from).apply(block).build()
