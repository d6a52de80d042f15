package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.withStructs
import kotlin.random.Random

/** Imports an array of the C peer, in which up to three things were spoiled, and uses it if it is accepted. */
internal fun fuzzArray(
    random: Random,
    notes: Fuzz.Notes,
): Boolean =
    withStructs {
        val before = peer.counters()
        var accepted = false
        val fields = FuzzedFields(random)
        val field = fields.field()
        val options = fields.options()
        notes += field.toString().trim().replace('\n', ' ')
        notes += options.toString()
        val schema = produceSchema(field)
        val array = produceArray(schema, options)
        val nodes = SpoiledNode.of(random, field, array)
        repeat(listOf(0, 1, 1, 1, 2, 3).random(random)) { notes += nodes.random(random).spoil() }
        val validation = if (random.oneIn(4)) Validation.entries.random(random) else Validation.FULL
        notes += "$validation"
        try {
            ArrowImport
                .importArray(CStruct.arrayAt(array.address), CStruct.schemaAt(schema.address), validation)
                .use {
                    accepted = true
                    if (validation == Validation.FULL) use(it, random)
                }
        } catch (e: RuntimeException) {
            if (!isRefusal(e)) throw e
            notes += "refused: ${e.message}"
        }
        check(array.released() && schema.released()) { "a struct is not released" }
        val unbalanced = peer.counters().unbalancedSince(before)
        check(unbalanced.isEmpty()) { "$unbalanced" }
        accepted
    }

/** What was accepted after it was validated in full can be used in every way. */
internal fun Structs.use(
    array: DeviceArray,
    random: Random,
) {
    fun <T> step(
        name: String,
        body: () -> T,
    ): T =
        try {
            body()
        } catch (e: RuntimeException) {
            throw AssertionError("accepted, but $name failed: $e", e)
        }
    val values = step("reading") { array.objects() }
    step("reading by type") { array.readByType() }
    step("printing") { check(array.toString().isNotEmpty()) }
    step("slicing") {
        val from = random.nextLong(array.length + 1)
        val length = random.nextLong(array.length - from + 1)
        val expected = values.subList(from.toInt(), (from + length).toInt())
        array.slice(from, length).use { check(it.objects() == expected) { "the slice reads otherwise" } }
    }
    step("copying") { array.copyTo(Device.CPU).use { check(it.objects() == values) { "the copy reads otherwise" } } }
    step("exporting") {
        val out = array()
        val schema = schema()
        ArrowExport.exportArray(array.share(), CStruct.arrayAt(out), CStruct.schemaAt(schema))
        try {
            peer.renderArray(schema, out)
        } finally {
            peer.releaseArray(out)
            peer.releaseSchema(schema)
        }
    }
}
