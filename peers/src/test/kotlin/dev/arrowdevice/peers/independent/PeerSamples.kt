package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.peers.arrowjava.JavaSample
import dev.arrowdevice.peers.arrowjava.JavaSamples
import dev.arrowdevice.peers.arrowjava.build
import java.math.BigDecimal
import java.util.UUID

/** At least one sample of every type, each with nulls where the type can have them. */
internal object PeerSamples {
    val all: List<JavaSample> = JavaSamples.all + more()

    private fun more() =
        listOf(
            JavaSample(ArrowType.decimal32(9, 2), BigDecimal("-9999999.99"), null, BigDecimal("0.01")),
            JavaSample(ArrowType.decimal64(18, -3), BigDecimal("999E3"), null, BigDecimal("-1E3")),
            JavaSample(ArrowType.dictionary(ArrowType.UINT64, ArrowType.UTF8, false), "x", null, "y"),
            JavaSample(ArrowType.uuid(), UUID(1, -2), null),
            JavaSample(
                ArrowType.fixedSizeList(ArrowType.struct(Field.nullable("b", ArrowType.BOOL)), 3),
                listOf(
                    mapOf("b" to true),
                    null,
                    mapOf("b" to null),
                ),
                null,
            ),
            JavaSample(
                ArrowType.struct(Field("n", ArrowType.INT8, false, Metadata.of("unit", "m"))),
                mapOf("n" to 1.toByte()),
                null,
            ),
            JavaSample(
                ArrowType.list(ArrowType.runEndEncoded(ArrowType.INT32, ArrowType.INT64)),
                listOf(1L, 1L, null),
                null,
                listOf<Long>(),
            ),
        )

    /** A batch with a column for each of the samples. */
    fun batch(
        samples: List<JavaSample>,
        rows: Int,
    ): RecordBatch {
        val named = samples.mapIndexed { i, sample -> sample.named("column $i") }
        val schema = Schema(named.map { it.field }, Metadata.of("größe", "世界"))
        return RecordBatch.of(schema, named.map { build(it.field, it.values.take(rows)) }, rows.toLong())
    }
}

internal fun JavaSample.array(): DeviceArray = build(field, values)
