package dev.arrowdevice.samples

import dev.arrowdevice.dsl.addAll
import dev.arrowdevice.dsl.column
import dev.arrowdevice.dsl.exportTo
import dev.arrowdevice.dsl.recordBatch
import dev.arrowdevice.dsl.sum
import dev.arrowdevice.exchange.ArrowImport
import dev.arrowdevice.exchange.CStruct

/** The example of the README, to the letter: a batch leaves through the C interface and comes back. */
internal fun readmeExample() {
    // readme: begin
    val batch =
        recordBatch {
            column<Long>("id") { addAll(1L..3L) }
            column<String>("name") { addAll(listOf("Ada", null, "Alan")) }
            list<Double>("scores") { addAll(listOf(listOf(1.0, 2.0), null, emptyList())) }
        }
    CStruct.array().use { array ->
        CStruct.schema().use { schema ->
            batch.exportTo(array.address(), schema.address()) // moved: the other side owns it now
            val back = ArrowImport.importBatch(array.address(), schema.address()) // the other side is us
            back.use { println("${it.column<Long>("id").sum()} in all\n$it") }
        }
    }
    // readme: end
}
