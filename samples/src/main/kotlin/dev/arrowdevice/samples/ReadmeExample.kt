package dev.arrowdevice.samples

import dev.arrowdevice.addAll
import dev.arrowdevice.exportTo
import dev.arrowdevice.importBatch
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
    batch.exportTo { array, schema ->
        // moved, if the other side takes it
        val taken = importBatch(array, schema) // here the other side is us
        taken.use { println("${it.values<Long>("id").sum()} in all\n$it") }
    }
    // readme: end
}
