package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.PeerDrain
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerStreamOptions
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.withStructs
import kotlin.random.Random

/** Imports a stream of the C peer that may fail anywhere; reads it, leaves it early, or exports it again. */
internal fun fuzzStream(
    random: Random,
    notes: Fuzz.Notes,
): Boolean =
    withStructs {
        val before = peer.counters()
        var accepted = true
        val fields = FuzzedFields(random)
        val field = if (random.oneIn(4)) fields.field() else PeerField.batch(fields.field(), fields.field().named("y"))
        val options = fields.options()
        val stream = streamOptions(random)
        notes += field.toString().trim().replace('\n', ' ')
        notes += "$options, $stream"
        val onDevice = random.nextBoolean()
        val address = if (onDevice) deviceStream() else stream()
        try {
            if (onDevice) {
                peer.produceDeviceStream(field, options, stream, address)
                ArrowImport.importDeviceStream(CStruct.deviceArrayStreamAt(address), Validation.FULL)
            } else {
                peer.produceStream(field, options, stream, address)
                ArrowImport.importStream(CStruct.arrayStreamAt(address), Validation.FULL)
            }.use { consume(it, random, notes) }
        } catch (e: RuntimeException) {
            if (!isRefusal(e) && e !is ForeignException) throw e
            notes += "refused: ${e.message}"
            accepted = false
        }
        val unbalanced = peer.counters().unbalancedSince(before)
        check(unbalanced.isEmpty()) { "$unbalanced" }
        accepted
    }

private fun streamOptions(random: Random): PeerStreamOptions {
    val batches = random.nextInt(5)
    val code = if (random.oneIn(4)) random.nextInt() or 1 else random.nextInt(1, 140)
    val text =
        if (random.oneIn(
                3,
            )
        ) {
            ""
        } else {
            String(CharArray(random.nextInt(1, 20)) { random.nextInt(1, 0xD800).toChar() })
        }
    var options = PeerStreamOptions.batches(batches)
    if (random.oneIn(3)) options = options.failing(random.nextInt(batches + 1), code, text)
    if (random.oneIn(6)) options = options.failingSchema(code, text)
    if (random.oneIn(3)) options = options.withSoiledEnd()
    return options
}

private fun Structs.consume(
    stream: DeviceArrayStream,
    random: Random,
    notes: Fuzz.Notes,
) {
    if (random.oneIn(3)) {
        val out = stream()
        ArrowExport.exportStream(stream, CStruct.arrayStreamAt(out))
        val drained =
            peer.drainStream(
                out,
                random.nextInt(-1, 4),
                *PeerDrain.entries.filter { random.oneIn(3) }.toTypedArray(),
            )
        check("violation" !in drained) { drained }
        return
    }
    val kept = mutableListOf<AutoCloseable>()
    try {
        repeat(random.nextInt(7)) {
            val array = stream.nextArray() ?: return notes.plusAssign("ended after $it")
            if (random.nextBoolean()) array.use { use(it, random) } else kept += array
        }
        if (random.nextBoolean()) stream.close()
    } finally {
        kept.forEach(AutoCloseable::close)
    }
}
