package dev.arrowdevice.peers

import dev.arrowdevice.ArrowAddresses
import dev.arrowdevice.ArrowExport
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

/** The balance notices each thing that can be kept. */
class ReleaseBalanceTest :
    FunSpec({
        extension(PeerBalance)

        test("nothing kept, nothing said") {
            withStructs {
                ReleaseBalance.start(peer).use { own(Fields.utf8, PeerOptions.rows(3)).close() }
            }
        }

        test("an import that is not closed") {
            withStructs {
                val balance = ReleaseBalance.start(peer)
                val array = imported(Fields.utf8, PeerOptions.rows(3))
                balance.unbalanced().shouldContainExactly(
                    "1 imports have not been closed",
                    "the C peer handed out 2 structures and got 1 back",
                    "1 schemas, arrays or streams of the C peer are still alive",
                    "${peer.counters().liveBytes()} bytes of the C peer are still allocated",
                )
                array.close()
                balance.verify()
            }
        }

        test("an export that is not released, and its memory") {
            withStructs {
                val balance = ReleaseBalance.start()
                val out = array()
                ArrowExport.exportArray(own(Fields.int32, PeerOptions.rows(3)), ArrowAddresses.array(out))
                balance.unbalanced().shouldContainExactly(
                    "1 buffers of the SDK are still allocated",
                    "64 bytes of the SDK are still allocated",
                    "1 exports have not been released",
                )
                shouldThrow<AssertionError> { balance.close() }.message shouldBe
                    "not released: " + balance.unbalanced().joinToString("; ")
                peer.releaseArray(out)
                balance.unbalanced().shouldBeEmpty()
            }
        }

        test("an array that the peer holds") {
            withStructs {
                val balance = ReleaseBalance.start(peer)
                val schema = produceSchema(Fields.int32)
                val held = peer.hold(produceArray(schema, PeerOptions.rows(1)).address)
                balance.unbalanced() shouldContain "1 arrays are still held by the C peer"
                peer.releaseHeld(held)
                peer.releaseSchema(schema.address)
                balance.verify()
            }
        }

        test("a thread that does not end") {
            val balance = ReleaseBalance.start()
            val end = CountDownLatch(1)
            val straggler = thread(name = "straggler") { end.await() }
            balance.unbalanced() shouldBe listOf("the thread straggler still runs")
            end.countDown()
            straggler.join()
            balance.verify()
        }
    })
