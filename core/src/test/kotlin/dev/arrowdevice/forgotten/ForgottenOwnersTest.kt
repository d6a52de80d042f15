package dev.arrowdevice.forgotten

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.access.outputOf
import dev.arrowdevice.addAll
import dev.arrowdevice.builder.ArrayBuilder
import dev.arrowdevice.deviceArray
import dev.arrowdevice.recordBatch
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.LockSupport
import io.kotest.matchers.collections.shouldContain as shouldHave

/** Programs that forget to close. */
class ForgottenOwnersTest :
    FunSpec({
        val version = System.getProperty("java.specification.version").toInt()
        val options =
            listOf("-cp", System.getProperty("java.class.path"), "-Xmx1g") +
                if (version >= 22) listOf("--enable-native-access=ALL-UNNAMED") else emptyList()

        test("150 forgotten batches of 8 MB stay bounded, and are counted and reported") {
            val lines = outputOf(options + "-Ddev.arrowdevice.collectAbove=$LIMIT", ForgetsBatches::class)
            lines shouldHave "bounded"
            // Another one may be found between the count and the end.
            lines.count { "leaked an array that was never closed (struct<n: int64" in it } shouldBeGreaterThanOrEqual
                lines.single { it.startsWith("leaks ") }.removePrefix("leaks ").toInt()
        }

        test("a limit of 0 asks for no collection") {
            outputOf(options + "-Ddev.arrowdevice.collectAbove=0", ForgetsFewBatches::class) shouldHave "leaks 0"
        }

        test("owners that are left at exit are reported, grouped, the largest first") {
            val lines = outputOf(options, ForgetsAtExit::class)
            lines.single { "owners are not closed" in it } shouldContain
                "4 owners are not closed at JVM shutdown; the buffers have 216 bytes; " +
                "close() each, or write use { } " +
                "(run with -Ddev.arrowdevice.leakStacks=true to see where they were made)"
            lines.filter { "×" in it }.map { it.trim() } shouldContainExactly
                listOf(
                    "2 × an array that was never closed (struct<n: int64>, 26 rows, 208 bytes)",
                    "1 × an array that was never closed (int32, 2 rows, 8 bytes)",
                    "1 × a builder that was never closed",
                )
        }

        test("with stacks, the user's line is first") {
            val lines = outputOf(options + "-Ddev.arrowdevice.leakStacks=true", ForgetsAtExit::class).map { it.trim() }
            val places = lines.filter { it.startsWith("made at") }
            places.size shouldBe 3
            places.first() shouldStartWith
                "made at dev.arrowdevice.forgotten.ForgetsAtExit.batch(ForgottenOwnersTest.kt:"
        }

        test("a program that closes all reports nothing") {
            outputOf(options, ClosesAll::class) shouldContainExactly listOf("closed")
        }
    })

private const val LIMIT = 400_000_000L

/** One array for all batches, so that the heap has no garbage and the collector no reason to run by itself. */
private val million = LongArray(1_000_000) { it.toLong() }

private fun batch(): RecordBatch = recordBatch { column<Long>("n") { addAll(million) } }

object ForgetsBatches {
    @JvmStatic
    fun main(arguments: Array<String>) {
        var bounded = true
        repeat(150) {
            batch()
            bounded = bounded && fallsBelow(2 * LIMIT)
        }
        println(if (bounded && fallsBelow(LIMIT + LIMIT / 2)) "bounded" else "${ArrowCounters.now()}")
        println("leaks ${ArrowCounters.now().leaks()}")
        System.out.flush()
        Runtime.getRuntime().halt(0) // Without the report at exit, so that each leak was reported before.
    }

    private fun fallsBelow(limit: Long): Boolean {
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        while (ArrowCounters.now().hostBytes() > limit && System.nanoTime() < end) LockSupport.parkNanos(1_000_000)
        return ArrowCounters.now().hostBytes() <= limit
    }
}

object ForgetsFewBatches {
    @JvmStatic
    fun main(arguments: Array<String>) {
        repeat(30) { batch() }
        println("leaks ${ArrowCounters.now().leaks()}")
    }
}

object ForgetsAtExit {
    private val forgotten = ArrayList<AutoCloseable>()

    @JvmStatic
    fun main(arguments: Array<String>) {
        repeat(2) { forgotten += batch() }
        forgotten += deviceArray<Int> { addAll(intArrayOf(1, 2)) }
        forgotten += ArrayBuilder.of(ArrowType.INT64).also { it.append(1L) }
        deviceArray<Int> { addAll(intArrayOf(1, 2)) }.close()
    }

    private fun batch() = recordBatch { column<Long>("n") { addAll(LongArray(13)) } }
}

object ClosesAll {
    @JvmStatic
    fun main(arguments: Array<String>) {
        batch().close()
        println("closed")
    }
}
