package dev.arrowdevice.peers.independent

import dev.arrowdevice.ArrayView
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.peers.arrowjava.JavaSample
import dev.arrowdevice.peers.canonical
import dev.arrowdevice.peers.independent.IndependentPeer.PeerArray
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** Arrays of every type of the samples, in both directions. */
internal fun FunSpec.arrayTests(
    peer: IndependentPeer,
    limits: PeerLimits,
) {
    PeerSamples.all.filter { limits.imports(it.field.type()) }.forEach { sample ->
        val expected = Expected(sample, limits)

        testWith(peer, "an array built here is read, and comes back the same: $sample") {
            sample.array().use { ours ->
                peer.take(ours.share(), sample.field).use { theirs ->
                    theirs.text shouldBe textOf(ours)
                    expected.check(theirs, ours)
                }
            }
        }

        if (limits.builds(sample.field.type())) {
            testWith(peer, "an array that the peer has built is read: $sample") {
                sample.array().use { ours ->
                    peer.take(ours.share(), sample.field).use { theirs ->
                        theirs.rebuilt().use { built ->
                            built.sameAs(theirs) shouldBe true
                            expected.check(built, ours)
                        }
                    }
                }
            }
        }

        testWith(peer, "slices are the slices on the other side: $sample") {
            sample.array().use { ours ->
                peer.take(ours.share(), sample.field).use { theirs ->
                    slices(ours.length).forEach { (from, length) ->
                        withClue("slice($from, $length)") { expected.slice(peer, ours, theirs, from, length) }
                    }
                }
            }
        }
    }

    testWith(peer, "a batch of all types comes back with all fields and metadata") {
        val samples = PeerSamples.all.filter { limits.imports(it.field.type()) }
        PeerSamples.batch(samples, 19).use { batch ->
            peer.take(batch.share()).use { theirs ->
                theirs.text shouldBe batch.share().intoStruct().use(::textOf)
                theirs.toBatch().use { back ->
                    limits.kept.of(back.schema) shouldBe limits.kept.of(batch.schema)
                    samples.forEachIndexed { i, sample ->
                        withClue(sample) { textOf(back.column(i)) shouldBe textOf(batch.column(i)) }
                    }
                }
            }
        }
    }
}

/** What an array of the sample must be like. */
private class Expected(
    private val sample: JavaSample,
    private val limits: PeerLimits,
) {
    private val type = sample.field.type()

    fun slice(
        peer: IndependentPeer,
        ours: DeviceArray,
        theirs: PeerArray,
        from: Long,
        length: Long,
    ) {
        ours.slice(from, length).use { slice ->
            peer.take(slice.share(), sample.field).use {
                it.text shouldBe textOf(slice)
                if (limits.exportsOffsets(type)) check(it, slice)
            }
            theirs.slice(from, length).use {
                if (limits.exportsOffsets(type)) check(it, slice)
                if (limits.builds(type)) it.rebuilt().use { built -> check(built, slice) }
            }
        }
    }

    /** Imported with all checks, it has what the peer keeps of the type, and our values. */
    fun check(
        array: PeerArray,
        ours: DeviceArray,
    ) = array.toArray().use {
        it.type.storageType() shouldBe
            limits.kept
                .of(sample.field)
                .type()
                .storageType()
        textOf(it) shouldBe textOf(ours)
    }
}

/** Parts with an offset that is within a byte, at the end of one, behind it, and at the end; and empty ones. */
private fun slices(length: Long): List<Pair<Long, Long>> =
    listOf(
        0L to 0L,
        0L to 9L,
        1L to 7L,
        3L to 1L,
        7L to 5L,
        8L to 8L,
        11L to length - 11,
        length - 1 to 1L,
        length to 0L,
    )

/** The values as our getters read them, in the form of the C peer, as far as a C string goes. */
internal fun textOf(array: ArrayView): String = array.canonical().replace("\u0000", "\\0")
