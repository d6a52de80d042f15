package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.SchemaStruct
import dev.arrowdevice.peers.Structs
import dev.arrowdevice.peers.withStructs
import java.nio.ByteBuffer
import java.nio.ByteOrder
import kotlin.random.Random

private const val FORMATS = "nbcCsSiIlLefgdzZuUvwtTDmMDyn+r:,0123456789-sx "

/** Imports a schema of the C peer, in which up to three things were spoiled; exports it again if it is accepted. */
internal fun fuzzSchema(
    random: Random,
    notes: Fuzz.Notes,
): Boolean =
    withStructs {
        val before = peer.counters()
        val field = FuzzedFields(random).field()
        notes += field.toString().trim().replace('\n', ' ')
        val schema = produceSchema(field)
        val nodes = nodes(field, schema)
        repeat(random.nextInt(4)) {
            val (spoiled, node) = nodes.random(random)
            notes += "${spoiled.name} (${spoiled.format}): " + spoil(spoiled, node, random)
        }
        val imported =
            try {
                ArrowImport.importField(CStruct.schemaAt(schema.address))
            } catch (e: RuntimeException) {
                if (!isRefusal(e)) throw e
                check(e.message.orEmpty().length < 4096) { "a message of ${e.message?.length} characters" }
                notes += "refused: ${e.message}"
                null
            }
        check(schema.released()) { "the schema is not released" }
        if (imported != null) {
            notes += imported.toString()
            val again = schema()
            ArrowExport.exportField(imported, CStruct.schemaAt(again))
            peer.renderSchema(again)
            check(ArrowImport.importField(CStruct.schemaAt(again)) == imported) { "it comes back as another one" }
        }
        val unbalanced = peer.counters().unbalancedSince(before)
        check(unbalanced.isEmpty()) { "$unbalanced" }
        imported != null
    }

private fun nodes(
    field: PeerField,
    schema: SchemaStruct,
): List<Pair<PeerField, SchemaStruct>> =
    listOf(field to schema) +
        field.children.flatMapIndexed { i, child -> nodes(child, schema.child(i)) } +
        field.dictionary?.let { nodes(it, schema.dictionary()) }.orEmpty()

private fun Structs.spoil(
    field: PeerField,
    schema: SchemaStruct,
    random: Random,
): String {
    when (random.nextInt(8)) {
        0, 1 -> {
            val format = spoiled(field.format, random)
            schema.format(text(format.toByteArray()))
            return "format '$format'"
        }

        2 -> {
            val name = random.nextBytes(random.nextInt(12))
            schema.name(if (random.oneIn(3)) 0 else text(name))
            return "name ${name.toHexString()}"
        }

        3 -> {
            schema.flags(random.extreme())
            return "flags ${schema.flags()}"
        }

        4 -> {
            val metadata = metadata(random)
            schema.metadata(bytes(*metadata.map { it.toInt() }.toIntArray()))
            return "metadata ${metadata.toHexString()}"
        }

        5 -> {
            // Only a number that its type or any type refutes: nothing says where the pointers end.
            val fewer = random.nextLong(field.children.size + 1L)
            schema.childCount(listOf(-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L shl 40, fewer).random(random))
            return "n_children ${schema.childCount()}"
        }

        6 -> {
            if (field.children.isEmpty() || schema.children() == 0L) {
                schema.format(0)
                return "format NULL"
            }
            if (random.nextBoolean()) schema.children(0) else schema.child(random.nextInt(field.children.size), 0)
            return "children or a child NULL"
        }

        else -> {
            schema.dictionary(if (random.nextBoolean()) 0 else schema.address)
            return "dictionary ${schema.dictionary()}"
        }
    }
}

private fun spoiled(
    format: String,
    random: Random,
): String {
    val text = StringBuilder(format)
    repeat(random.nextInt(1, 3)) {
        val at = random.nextInt(text.length + 1)
        when {
            at == text.length || random.oneIn(3) -> text.insert(at, FORMATS.random(random))
            random.nextBoolean() -> text.deleteCharAt(at)
            else -> text.setCharAt(at, FORMATS.random(random))
        }
    }
    return text.toString()
}

private fun Structs.text(bytes: ByteArray): Long = bytes(*bytes.map { it.toInt() }.toIntArray(), 0)

/** Metadata with any bytes in its strings, or with a length that nothing can have. */
internal fun metadata(random: Random): ByteArray {
    val parts = List(2 * random.nextInt(4)) { random.nextBytes(random.nextInt(8)) }
    val spoiled = if (random.oneIn(3)) random.nextInt(parts.size + 1) else -1
    val out = ByteBuffer.allocate(4 + parts.sumOf { 4 + it.size }).order(ByteOrder.nativeOrder())
    out.putInt(if (spoiled == 0) random.nextInt(Int.MIN_VALUE, 0) else parts.size / 2)
    parts.forEachIndexed { i, part ->
        out.putInt(if (spoiled == i + 1) random.nextInt(Int.MIN_VALUE, 0) else part.size).put(part)
    }
    return out.array()
}
