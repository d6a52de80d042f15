package dev.arrowdevice.peers

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly

/** The C peer's report of what was not released. */
class PeerCountersTest :
    FunSpec({
        extension(PeerBalance)

        test("nothing outstanding, nothing reported") {
            withStructs {
                val counted = peer.count()
                own(Fields.utf8, PeerOptions.rows(3)).close()
                counted.get().shouldBeEmpty()
            }
        }

        test("an import that is not closed") {
            withStructs {
                val counted = peer.count()
                val array = imported(Fields.utf8, PeerOptions.rows(3))
                counted.get().shouldContainExactly(
                    "the C peer handed out 2 structures and got 1 back",
                    "1 schemas, arrays or streams of the C peer are still alive",
                    "${peer.counters().liveBytes()} bytes of the C peer are still allocated",
                )
                array.close()
                counted.get().shouldBeEmpty()
            }
        }

        test("an array that the peer holds") {
            withStructs {
                val counted = peer.count()
                val schema = produceSchema(Fields.int32)
                val held = peer.hold(produceArray(schema, PeerOptions.rows(1)).address)
                counted.get() shouldContain "1 arrays are still held by the C peer"
                peer.releaseHeld(held)
                peer.releaseSchema(schema.address)
                counted.get().shouldBeEmpty()
            }
        }
    })
