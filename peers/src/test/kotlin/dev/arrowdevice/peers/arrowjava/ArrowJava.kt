package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.Validation
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.exportTo
import dev.arrowdevice.importBatch
import dev.arrowdevice.importColumn
import dev.arrowdevice.peers.arbitrary.comparable
import dev.arrowdevice.testkit.ReleaseBalance
import org.apache.arrow.c.ArrowArray
import org.apache.arrow.c.ArrowSchema
import org.apache.arrow.c.CDataDictionaryProvider
import org.apache.arrow.c.Data
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.dictionary.Dictionary
import org.apache.arrow.vector.dictionary.DictionaryProvider
import org.apache.arrow.vector.types.pojo.Field as JavaField
import org.apache.arrow.vector.types.pojo.Schema as JavaSchema

/** Arrow Java with memory of its own for one test, which must have it all back at the end. */
internal class ArrowJava : AutoCloseable {
    val allocator: BufferAllocator = RootAllocator()

    /** The dictionaries that were imported. */
    val imported = CDataDictionaryProvider()

    /** The dictionaries of the vectors that were made here. */
    val made = DictionaryProvider.MapDictionaryProvider()

    /** Makes a vector of the values by Arrow Java's own means. */
    fun make(
        field: Field,
        values: List<Any?>,
    ): FieldVector = emptyVector(field, JavaTypes()).also { write(it, values) }

    /** Makes a root without rows. */
    fun makeRoot(schema: Schema): VectorSchemaRoot {
        val types = JavaTypes()
        val vectors = schema.fields().map { emptyVector(it, types) }
        return VectorSchemaRoot(JavaSchema(vectors.map { it.field }, types.entries(schema.metadata())), vectors, 0)
    }

    /** Writes a column of values into each vector of a root. */
    fun write(
        root: VectorSchemaRoot,
        columns: List<List<Any?>>,
    ) {
        root.fieldVectors.zip(columns, ::write)
        root.rowCount = columns.first().size
    }

    private fun write(
        vector: FieldVector,
        values: List<Any?>,
    ) = JavaWriting(allocator, made).write(vector, values)

    private fun emptyVector(
        field: Field,
        types: JavaTypes,
    ): FieldVector {
        val javaField = types.field(field)
        addDictionaries(field, javaField, types)
        return javaField.createVector(allocator)
    }

    private fun addDictionaries(
        field: Field,
        javaField: JavaField,
        types: JavaTypes,
    ) {
        val type = field.type().storageType()
        if (type is DictionaryType) {
            made.put(Dictionary(types.dictionary(type).createVector(allocator), javaField.dictionary))
        }
        type.children().zip(javaField.children) { child, javaChild -> addDictionaries(child, javaChild, types) }
    }

    fun values(vector: FieldVector): List<Any?> = JavaReading(imported).values(vector).map(::comparable)

    /** Moves an array of ours to Arrow Java. */
    fun take(
        array: DeviceArray,
        field: Field,
    ): FieldVector =
        array.exportTo(field) { struct, schema ->
            Data.importVector(allocator, ArrowArray.wrap(struct.address), ArrowSchema.wrap(schema.address), imported)
        }

    /** Takes the vector to us and looks at every byte of it. */
    fun give(vector: FieldVector): Pair<Field, DeviceArray> =
        importColumn(Validation.FULL) { struct, schema ->
            Data.exportVector(
                allocator,
                vector,
                made,
                ArrowArray.wrap(struct.address),
                ArrowSchema.wrap(schema.address),
            )
        }.use { it.schema.field(0) to it.column(0).share() }

    /** Moves a batch of ours to Arrow Java. */
    fun take(batch: RecordBatch): VectorSchemaRoot =
        batch.exportTo { struct, schema ->
            Data.importVectorSchemaRoot(
                allocator,
                ArrowArray.wrap(struct.address),
                ArrowSchema.wrap(schema.address),
                imported,
            )
        }

    /** Takes the rows to us and looks at every byte of them. */
    fun give(root: VectorSchemaRoot): RecordBatch =
        importBatch(Validation.FULL) { struct, schema ->
            Data.exportVectorSchemaRoot(
                allocator,
                root,
                made,
                ArrowArray.wrap(struct.address),
                ArrowSchema.wrap(schema.address),
            )
        }

    /** Empties the dictionaries of the vectors that were made here. */
    fun closeDictionaries() = made.close()

    override fun close() {
        imported.close()
        closeDictionaries()
        allocator.close()
    }
}

/** Runs a test with Arrow Java. Afterwards both libraries have released everything. */
internal inline fun withArrowJava(test: ArrowJava.() -> Unit) {
    ReleaseBalance.start().use { ArrowJava().use(test) }
}

/** Builds an array of ours. */
internal fun build(
    field: Field,
    values: List<Any?>,
): DeviceArray = ArrayBuilder.of(field).use { builder -> builder.appendAll(values).let { builder.finish() } }
