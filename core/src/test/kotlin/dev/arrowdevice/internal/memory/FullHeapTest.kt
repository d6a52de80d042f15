package dev.arrowdevice.internal.memory

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger

/** What was to be released while the heap was full is released when it is not, exactly once. */
class FullHeapTest :
    FunSpec({
        test("releases that were deferred while the heap was full are done later, each once") {
            val java =
                ProcessHandle
                    .current()
                    .info()
                    .command()
                    .get()
            val process =
                ProcessBuilder(
                    java,
                    "-Xmx48m",
                    // A collector that ends the program because it works too much would end the test.
                    "-XX:+UseSerialGC",
                    "-XX:-UseGCOverheadLimit",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FullHeap::class.java.name,
                ).redirectErrorStream(true).start()
            val output = process.inputStream.bufferedReader().readText()
            process.waitFor(60, TimeUnit.SECONDS) shouldBe true
            output.trim().lines().last() shouldBe "asked for as many as ran: true, pending: 0"
        }
    })

/** Fills the heap, defers releases, and empties the heap. */
object FullHeap {
    private const val RELEASES = 300

    @JvmStatic
    fun main(arguments: Array<String>) {
        val ran = AtomicInteger()
        val release = Runnable { ran.incrementAndGet() }
        DeferredRelease.execute(release)
        while (DeferredRelease.pending() != 0L) Thread.onSpinWait()

        var asked = 1
        var hog: Array<Any?>? = arrayOfNulls(4_000_000)
        var used = 0
        for (size in listOf(1 shl 20, 1 shl 16, 1 shl 10, 64, 0)) {
            try {
                while (true) hog!![used++] = ByteArray(size)
            } catch (_: OutOfMemoryError) {
                used--
            }
        }
        repeat(RELEASES) {
            try {
                DeferredRelease.execute(release)
                asked++
            } catch (_: OutOfMemoryError) {
                // The caller still has it, and may try again.
            }
        }
        hog = null
        System.gc()
        DeferredRelease.execute(release)
        asked++
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30)
        while (DeferredRelease.pending() != 0L && System.nanoTime() < end) Thread.onSpinWait()
        println("asked for as many as ran: ${asked == ran.get()}, pending: ${DeferredRelease.pending()}")
    }
}
