package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.arbitrary.valuesOf
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import org.apache.arrow.vector.VectorSchemaRoot

/** A batch with a column for each sample. */
internal object AllColumns {
    private val samples = JavaSamples.all.mapIndexed { i, sample -> sample.named("column $i") }

    val schema = Schema(samples.map { it.field }, Metadata.of("größe", "世界"))

    /** The first rows, built here. */
    fun build(rows: Int): RecordBatch =
        RecordBatch.of(schema, samples.map { build(it.field, it.values.take(rows)) }, rows.toLong())

    /** The first rows, as Arrow Java takes them. */
    fun stored(rows: Int): List<List<Any?>> = samples.map { it.stored.take(rows) }

    /** Checks that a batch has the first rows. */
    fun check(
        batch: RecordBatch,
        rows: Int,
    ) {
        batch.schema shouldBe schema
        batch.rowCount shouldBe rows.toLong()
        samples.forEachIndexed { i, sample ->
            withClue(sample) { valuesOf(batch.column(i)) shouldBe sample.ours.take(rows) }
        }
    }

    /** Checks that Arrow Java reads the first rows in what it imported. */
    fun check(
        root: VectorSchemaRoot,
        rows: Int,
        read: (org.apache.arrow.vector.FieldVector) -> List<Any?>,
    ) {
        root.schema shouldBe JavaTypes().schema(schema)
        root.rowCount shouldBe rows
        samples.zip(root.fieldVectors) { sample, vector ->
            withClue(sample) { read(vector) shouldBe sample.theirs.take(rows) }
        }
    }
}
