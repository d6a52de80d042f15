package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.peers.PeerCatalogue
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.peers.PeerOptions
import dev.arrowdevice.peers.PeerQuirk
import kotlin.random.Random

/** Valid fields and layouts of the C peer, at random. */
internal class FuzzedFields(
    private val random: Random,
) {
    private companion object {
        val CATALOGUE = PeerCatalogue.all()
        val INDICES = listOf("c", "C", "s", "S", "i", "I", "l", "L")
        val LISTS = listOf("+l", "+L", "+vl", "+vL", "+w:3", "+w:1")
        val QUIRKS = PeerQuirk.entries - setOf(PeerQuirk.DEFER_FREE, PeerQuirk.GUARD_BEHIND, PeerQuirk.GUARD_BEFORE)
    }

    fun field(): PeerField = if (random.nextBoolean()) CATALOGUE.random(random) else field("x", random.nextInt(1, 4))

    private fun field(
        name: String,
        depth: Int,
    ): PeerField {
        if (depth == 0 || random.oneIn(4)) return CATALOGUE.random(random).named(name)
        val nested =
            when (random.nextInt(7)) {
                0, 1 -> PeerField.of(name, LISTS.random(random), field("item", depth - 1))
                2 -> PeerField.of(name, "+s", *fields(random.nextInt(7), depth))
                3 -> PeerField.map(name, PeerField.of("key", "u"), field("value", depth - 1))
                4 -> union(name, depth)
                5 -> runs(name, depth)
                else -> PeerField.of(name, INDICES.random(random)).withDictionary(field("", depth - 1))
            }
        return if (random.oneIn(4)) nested.notNull() else nested
    }

    private fun fields(
        count: Int,
        depth: Int,
    ) = Array(count) { field("f$it", depth - 1) }

    private fun union(
        name: String,
        depth: Int,
    ): PeerField {
        val count = random.nextInt(1, 4)
        val ids = (0..127).shuffled(random).take(count).joinToString(",")
        return PeerField.of(name, (if (random.nextBoolean()) "+us:" else "+ud:") + ids, *fields(count, depth))
    }

    private fun runs(
        name: String,
        depth: Int,
    ): PeerField {
        val ends = PeerField.of("run_ends", listOf("s", "i", "l").random(random)).notNull()
        return PeerField.of(name, "+r", ends, field("values", depth - 1))
    }

    /** The buffers of half of them end or begin at a page that can't be read. */
    fun options(): PeerOptions {
        val quirks = QUIRKS.filter { random.oneIn(5) }.toMutableList()
        if (random.nextBoolean()) {
            quirks -= PeerQuirk.MISALIGNED
            quirks += if (random.oneIn(4)) PeerQuirk.GUARD_BEFORE else PeerQuirk.GUARD_BEHIND
        }
        return PeerOptions
            .rows(if (random.oneIn(6)) 0 else random.nextLong(1, 24))
            .withOffset(if (random.nextBoolean()) 0 else random.nextLong(12))
            .withChildOffset(if (random.nextBoolean()) 0 else random.nextLong(5))
            .withTail(random.nextLong(3))
            .withNullEvery(listOf(0L, 0L, 1L, 2L, 3L, 7L).random(random))
            .withFirstOffset(random.nextLong(4))
            .withSeed(random.nextLong(-100_000, 100_000))
            .with(*quirks.toTypedArray())
    }
}
