package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import org.apache.arrow.c.ArrowSchema
import org.apache.arrow.c.Data

class ArrowJavaBatchTest :
    FunSpec({
        context("a batch with columns of all types and this many rows is exchanged in both directions") {
            withData(0, 1, 8, 19) { rows ->
                withArrowJava { take(AllColumns.build(rows)).use { AllColumns.check(it, rows, ::values) } }
                withArrowJava {
                    makeRoot(AllColumns.schema).use { root ->
                        write(root, AllColumns.stored(rows))
                        give(root).use { AllColumns.check(it, rows) }
                    }
                }
            }
        }

        test("a batch without columns keeps its rows in Arrow Java") {
            withArrowJava { take(RecordBatch.of(Schema.of(), listOf(), 3)).use { it.rowCount shouldBe 3 } }
        }

        // Names of list elements and type ids of sparse unions, which the vectors of Arrow Java make their own of.
        val list = ArrowType.list(Field("element", ArrowType.INT32, false, Metadata.of("key", "value")))
        val union =
            ArrowType.sparseUnion(
                listOf(5, 7),
                listOf(Field.nullable("a", list), Field.notNull("b", ArrowType.BOOL)),
            )
        val unusual = Schema(AllColumns.schema.fields() + Field.nullable("unusual", union), Metadata.of("a", "b"))

        test("Arrow Java reads a schema that was exported here") {
            withArrowJava {
                ArrowSchema.allocateNew(allocator).use { struct ->
                    ArrowExport.exportSchema(unusual, CStruct.schemaAt(struct.memoryAddress()))
                    Data.importSchema(allocator, struct, imported) shouldBe JavaTypes().schema(unusual)
                }
            }
        }

        test("a schema that Arrow Java exported is read here") {
            withArrowJava {
                makeRoot(unusual).close()
                CStruct.schema().use { struct ->
                    Data.exportSchema(
                        allocator,
                        JavaTypes().schema(unusual),
                        made,
                        ArrowSchema.wrap(struct.address),
                    )
                    ArrowImport.importSchema(struct) shouldBe unusual
                }
            }
        }
    })
