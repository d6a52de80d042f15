package dev.arrowdevice.testkit.arrowjava

import dev.arrowdevice.array.DeviceArray
import dev.arrowdevice.build.ArrayBuilder
import dev.arrowdevice.exchange.ArrowExport
import dev.arrowdevice.exchange.ArrowImport
import dev.arrowdevice.exchange.CStruct
import dev.arrowdevice.exchange.Validation
import dev.arrowdevice.testkit.ReleaseBalance
import dev.arrowdevice.testkit.arbitrary.comparable
import dev.arrowdevice.type.DictionaryType
import dev.arrowdevice.type.Field
import org.apache.arrow.c.ArrowArray
import org.apache.arrow.c.ArrowSchema
import org.apache.arrow.c.CDataDictionaryProvider
import org.apache.arrow.c.Data
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.dictionary.Dictionary
import org.apache.arrow.vector.dictionary.DictionaryProvider

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
    ): FieldVector {
        addDictionaries(field)
        val vector = JavaTypes().field(field).createVector(allocator)
        JavaWriting(allocator, made).write(vector, values)
        return vector
    }

    private fun addDictionaries(field: Field) {
        val type = field.type().storageType()
        if (type is DictionaryType) {
            val encoding = JavaTypes().field(field).dictionary
            made.put(Dictionary(JavaTypes().dictionary(type).createVector(allocator), encoding))
        }
        type.children().forEach(::addDictionaries)
    }

    fun values(vector: FieldVector): List<Any?> = JavaReading(imported).values(vector).map(::comparable)

    /** Moves an array of ours to Arrow Java. */
    fun take(
        array: DeviceArray,
        field: Field,
    ): FieldVector =
        ArrowArray.allocateNew(allocator).use { struct ->
            ArrowSchema.allocateNew(allocator).use { schema ->
                ArrowExport.exportArray(array, field, struct.memoryAddress(), schema.memoryAddress())
                Data.importVector(allocator, struct, schema, imported)
            }
        }

    /** Takes the vector to us and looks at every byte of it. */
    fun give(vector: FieldVector): Pair<Field, DeviceArray> =
        CStruct.array().use { struct ->
            CStruct.schema().use { schema ->
                Data.exportVector(
                    allocator,
                    vector,
                    made,
                    ArrowArray.wrap(struct.address()),
                    ArrowSchema.wrap(schema.address()),
                )
                val field = ArrowImport.importField(schema.address())
                field to ArrowImport.importArray(struct.address(), field.type(), Validation.FULL)
            }
        }

    override fun close() {
        imported.close()
        made.dictionaryIds.forEach { made.lookup(it).vector.close() }
        allocator.close()
    }
}

/** Runs a test with Arrow Java; afterwards both sides have given everything back. */
internal inline fun withArrowJava(test: ArrowJava.() -> Unit) {
    ReleaseBalance.start().use { ArrowJava().use(test) }
}

/** Builds an array of ours. */
internal fun build(
    field: Field,
    values: List<Any?>,
): DeviceArray = ArrayBuilder.of(field).use { builder -> builder.appendAll(values).let { builder.finish() } }
