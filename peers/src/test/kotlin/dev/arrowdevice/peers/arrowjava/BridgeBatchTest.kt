package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.FixedSizeListType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.TypeId
import dev.arrowdevice.UnionType
import dev.arrowdevice.Validation
import dev.arrowdevice.arrowjava.loadInto
import dev.arrowdevice.arrowjava.toArrowJava
import dev.arrowdevice.arrowjava.toRecordBatch
import dev.arrowdevice.arrowjava.toSchema
import dev.arrowdevice.arrowjava.toVectorSchemaRoot
import dev.arrowdevice.importBatch
import dev.arrowdevice.peers.arbitrary.ArbitraryBatch
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.peers.arbitrary.comparable
import dev.arrowdevice.peers.arbitrary.iterations
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.property.Arb
import io.kotest.property.arbitrary.filter
import io.kotest.property.checkAll
import org.apache.arrow.c.ArrowArray
import org.apache.arrow.c.ArrowSchema
import org.apache.arrow.c.Data
import org.apache.arrow.vector.VectorSchemaRoot

/**
 * Batches over the bridge. Arrow Java's own export over the C interface reads what arrived there, and fills what is
 * read here.
 */
class BridgeBatchTest :
    FunSpec({
        context("a batch with columns of all types and this many rows is exchanged in both directions") {
            withData(0, 1, 8, 19) { rows ->
                withArrowJava {
                    AllColumns.build(rows).use { batch ->
                        batch.toVectorSchemaRoot(allocator, made).use { root ->
                            AllColumns.check(
                                root,
                                rows,
                            ) { vector -> JavaReading(made).values(vector).map(::comparable) }
                        }
                    }
                }
                withArrowJava {
                    makeRoot(AllColumns.schema).use { root ->
                        write(root, AllColumns.stored(rows))
                        root.toRecordBatch(made).use { AllColumns.check(it, rows) }
                    }
                }
            }
        }

        test("batches of random types arrive in Arrow Java") {
            checkAll(iterations("bridge", ITERATIONS), representable()) { shape ->
                withArrowJava {
                    shape.build().let { made -> made.batch.use { arrives(it, made.values) } }
                }
            }
        }

        test("slices of batches of random types arrive in Arrow Java") {
            checkAll(iterations("bridge", ITERATIONS), representable()) { shape ->
                val from = shape.rowCount / 3L
                val length = (shape.rowCount - from) / 2
                withArrowJava {
                    val whole = shape.build()
                    whole.batch.use { batch -> batch.slice(from, length).use { arrives(it, whole.cut(from, length)) } }
                }
            }
        }

        test("a root is loaded with one batch of random types after another") {
            checkAll(iterations("bridge", ITERATIONS), representable()) { shape ->
                withArrowJava {
                    val whole = shape.build()
                    whole.batch.use { batch ->
                        VectorSchemaRoot.create(batch.schema.toArrowJava(allocator, made), allocator).use { root ->
                            for (from in listOf(0L, shape.rowCount / 2L, shape.rowCount.toLong())) {
                                val length = shape.rowCount - from
                                batch.slice(from, length).use { it.loadInto(root, made) }
                                check(batch.schema, root, whole.cut(from, length))
                            }
                        }
                    }
                }
            }
        }

        test("batches of random types that went to Arrow Java and back have their values") {
            checkAll(iterations("bridge", ITERATIONS), representable(unsorted = true)) { shape ->
                withArrowJava {
                    val whole = shape.build()
                    whole.batch.use { batch ->
                        batch.toVectorSchemaRoot(allocator, made).use { root ->
                            root.toRecordBatch(batch.schema, made).use { checkValues(it, whole.values) }
                        }
                    }
                }
            }
        }

        test("batches of random types come from Arrow Java") {
            checkAll(iterations("bridge", ITERATIONS), representable()) { shape ->
                withArrowJava {
                    val plain = shape.copy(unusual = false).build()
                    take(plain.batch).use { root ->
                        root.toRecordBatch(imported).use { batch ->
                            batch.schema shouldBe root.schema.toSchema(imported)
                            checkValues(batch, plain.values)
                        }
                    }
                }
            }
        }
    }) {
    private companion object {
        const val ITERATIONS = 300

        /** Shapes that Arrow Java can represent, and that its own export over the C interface gets right. */
        fun representable(unsorted: Boolean = false): Arb<BatchShape> =
            BatchShape.arb().filter { shape ->
                shape.schema.fields().all { isKnown(it.type(), unsorted, inDictionary = false) }
            }

        fun isKnown(
            type: ArrowType,
            unsorted: Boolean,
            inDictionary: Boolean,
        ): Boolean {
            val storage = type.storageType()
            return when {
                storage.id() == TypeId.DECIMAL32 || storage.id() == TypeId.DECIMAL64 -> false

                // It compares the type ids of a new vector, which has none, with those of the field.
                storage is FixedSizeListType && storage.element().type().storageType() is UnionType -> false

                // It sorts the children of a dense union in the field of its vector, and not the vectors.
                storage.id() == TypeId.DENSE_UNION && !isSorted(storage as UnionType) && !unsorted -> false

                // It knows a dictionary by the field of its vector, where unions lose type ids, or the order of
                // children.
                storage is UnionType && inDictionary -> false

                storage is DictionaryType -> isKnown(storage.valueType(), unsorted, inDictionary = true)

                else -> storage.children().all { isKnown(it.type(), unsorted, inDictionary) }
            }
        }

        fun isSorted(type: UnionType): Boolean = type.typeIds() == type.typeIds().sorted()

        fun ArrowJava.arrives(
            batch: RecordBatch,
            values: List<List<Any?>>,
        ) = batch.toVectorSchemaRoot(allocator, made).use { root -> check(batch.schema, root, values) }

        fun ArrowJava.check(
            schema: Schema,
            root: VectorSchemaRoot,
            values: List<List<Any?>>,
        ) {
            schema.fields().zip(root.fieldVectors) { field, vector -> validate(vector, field.type()) }
            giveWithDictionaries(root).use { checkValues(it, values) }
        }

        /** By Arrow Java's export over the C interface. */
        fun ArrowJava.giveWithDictionaries(root: VectorSchemaRoot): RecordBatch =
            importBatch(Validation.FULL) { struct, schema ->
                Data.exportVectorSchemaRoot(
                    allocator,
                    root,
                    made,
                    ArrowArray.wrap(struct.address),
                    ArrowSchema.wrap(schema.address),
                )
            }

        fun checkValues(
            batch: RecordBatch,
            values: List<List<Any?>>,
        ) = values.forEachIndexed { i, expected ->
            withClue(batch.schema.field(i)) { valuesOf(batch.column(i)) shouldBe expected }
        }
    }
}
