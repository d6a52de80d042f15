package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.peers.async.Recorder
import dev.arrowdevice.peers.async.numbers
import dev.arrowdevice.spi.AsyncImport
import dev.arrowdevice.spi.AsyncTask
import dev.arrowdevice.spi.Diagnostics
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

/** The last net: what nobody closed is released once and reported; what the process leaves behind is reported too. */
class LeakNetTest :
    FunSpec({
        /** Runs what loses an owner, then collects garbage until the net has found it. */
        fun Structs.lost(lose: Structs.() -> Unit): Diagnostics.Leak {
            val before = peer.counters()
            val found = CountDownLatch(1)
            var report: Diagnostics.Leak? = null
            val listener =
                Diagnostics.onLeak { leak ->
                    report = leak
                    found.countDown()
                }
            try {
                lose()
                val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
                do System.gc() while (!found.await(50, TimeUnit.MILLISECONDS) && System.nanoTime() < end)
            } finally {
                Diagnostics.onLeak(listener)
            }
            peer.counters().unbalancedSince(before).shouldBeEmpty()
            return report ?: throw AssertionError("the net found nothing")
        }

        test("an imported array that is lost is released and reported") {
            withStructs {
                lost { imported(Fields.utf8, PeerOptions.rows(3)) }.description() shouldContain "never closed"
            }
        }

        test("an imported stream that is lost is released and reported") {
            withStructs {
                val leak =
                    lost {
                        val address = stream()
                        peer.produceStream(Fields.batch, PeerOptions.rows(3), PeerStreamOptions.batches(1), address)
                        ArrowImport.importStream(CStruct.arrayStreamAt(address))
                    }
                leak.description() shouldContain "stream that was never closed"
            }
        }

        test("an async task that is lost is discarded and reported") {
            withStructs {
                PeerAsyncProducer(peer, numbers, PeerOptions.rows(3), PeerAsyncOptions.batches(1)).use { producer ->
                    val leak =
                        lost {
                            val careless =
                                object : Recorder() {
                                    override fun onTask(task: AsyncTask) = Unit
                                }
                            producer.start(AsyncImport.create(careless).handler)
                            careless.awaitRelease()
                        }
                    leak.description() shouldContain "neither extracted nor discarded"
                    producer.count(PeerAsyncProducer.Count.EXTRACTED) shouldBe 1
                }
            }
        }

        fun outputOf(vararg arguments: String): String {
            val java =
                ProcessHandle
                    .current()
                    .info()
                    .command()
                    .get()
            val process =
                ProcessBuilder(
                    java,
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    LeavesExportsBehind::class.java.name,
                    *arguments,
                ).redirectErrorStream(true).start()
            val output = process.inputStream.bufferedReader().readText()
            process.waitFor() shouldBe 0
            return output
        }

        val report = "2 exported arrays and streams are not released at JVM shutdown"

        test("exports that outlive the JVM are reported when it ends, once") {
            outputOf().windowed(report.length).count { it == report } shouldBe 1
        }

        test("they are reported even if the program's logging has ended") {
            val output = outputOf("log first")
            output shouldContain "the program logs"
            output.windowed(report.length).count { it == report } shouldBe 1
        }
    })

/** A program that ends while a foreign consumer still holds two of its arrays. */
object LeavesExportsBehind {
    @JvmStatic
    fun main(arguments: Array<String>) {
        if (arguments.isNotEmpty()) System.getLogger("program").log(System.Logger.Level.WARNING, "the program logs")
        val structs = Structs()
        repeat(2) {
            ArrowExport.exportArray(
                structs.own(Fields.int32, PeerOptions.rows(3)),
                CStruct.arrayAt(structs.array()),
            )
        }
    }
}
