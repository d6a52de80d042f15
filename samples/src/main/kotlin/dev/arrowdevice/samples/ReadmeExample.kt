package dev.arrowdevice.samples

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.addAll
import dev.arrowdevice.exportTo
import dev.arrowdevice.recordBatch
import dev.arrowdevice.values

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
            batch.exportTo(array.address, schema.address) // moved: the other side owns it now
            val back = ArrowImport.importBatch(array.address, schema.address) // the other side is us
            back.use { println("${it.values<Long>("id").sum()} in all\n$it") }
        }
    }
    // readme: end
}
