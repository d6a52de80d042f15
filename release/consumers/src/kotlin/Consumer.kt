import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.addAll
import dev.arrowdevice.coroutines.asFlow
import dev.arrowdevice.exportTo
import dev.arrowdevice.importStream
import dev.arrowdevice.recordBatch
import dev.arrowdevice.toDeviceArrayStream
import dev.arrowdevice.values
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking

/** Builds a batch in the DSL, reads it, and sends it over the C stream interface into a flow. Prints one line. */
fun main(arguments: Array<String>) {
    check(runBlocking { stream().asFlow().map { it.values<Long>("id").sum() }.toList() } == listOf(6L))
    val imported = importStream { struct -> stream().exportTo(struct) }
    check(runBlocking { imported.asFlow().map { it.values<String>("name").toList() }.toList() } == listOf(listOf("Ada", null, "Alan")))
    check(ArrowCounters.now().unreleased() == 0L)
    println("${arguments[0]}: built, read, streamed and exchanged with Kotlin ${KotlinVersion.CURRENT}'s library")
}

private fun stream(): DeviceArrayStream {
    val batch =
        recordBatch {
            column<Long>("id") { addAll(1L..3L) }
            column<String>("name") { addAll(listOf("Ada", null, "Alan")) }
        }
    return sequenceOf(batch).toDeviceArrayStream(batch.schema)
}
