package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.InvalidSchemaException
import java.io.RandomAccessFile
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.random.Random

/**
 * Tries cases, each made of its own seed. The system property `fuzz` multiplies their number; `fuzz.seed` is the seed of
 * the first one, so that the case of a seed is replayed if it is the first. A case that fails is reported with its seed.
 * The seed of the running case is in `target/fuzz.seed` too, for a case that ends the process.
 */
internal object Fuzz {
    private const val MANY = 100
    private val hang = TimeUnit.SECONDS.toNanos(60)

    private val running =
        Files.createDirectories(Path.of("target")).resolve("fuzz.seed").let { file ->
            RandomAccessFile(file.toFile(), "rw").use {
                it.channel.map(FileChannel.MapMode.READ_WRITE, 0, 64)
            }
        }

    @Volatile
    private var started = 0L

    @Volatile
    private var current = ""

    /**
     * Tries the cases.
     *
     * @param kind of cases, for messages
     * @param count how many, unless more are asked for
     * @param case returns whether what it was made of was accepted and used; both must happen
     */
    fun cases(
        kind: String,
        count: Long,
        case: (Random, Notes) -> Boolean,
    ) {
        val first = java.lang.Long.getLong("fuzz.seed") ?: Random.nextLong().ushr(16)
        val all = count * java.lang.Long.getLong("fuzz", 1)
        println("fuzz $kind: $all cases from -Dfuzz.seed=$first")
        val start = System.nanoTime()
        val guard = watch()
        var accepted = 0L
        try {
            for (seed in first until first + all) {
                note("$kind $seed")
                val notes = Notes()
                try {
                    if (case(Random(seed), notes)) accepted++
                } catch (e: Throwable) {
                    throw AssertionError("$kind, -Dfuzz.seed=$seed: $notes: $e", e)
                }
            }
        } finally {
            started = 0
            guard.interrupt()
            guard.join()
        }
        val millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start).coerceAtLeast(1)
        println("fuzz $kind: ${all * 1000 / millis} cases a second, ${accepted * 100 / all} % accepted")
        check(all < MANY || accepted in all / 20..all * 19 / 20) { "$accepted of $all $kind were accepted" }
    }

    /** What a case does, for the message of its failure. */
    class Notes {
        private val lines = mutableListOf<String>()

        operator fun plusAssign(line: String) {
            lines += line
        }

        override fun toString(): String = lines.joinToString("; ")
    }

    private fun note(text: String) {
        started = System.nanoTime()
        current = text
        running.clear()
        running.put(text.padEnd(running.capacity() - 1).toByteArray()).put('\n'.code.toByte())
    }

    /** Ends the process if a case hangs, because nothing can end what hangs in it. */
    private fun watch(): Thread {
        val worker = Thread.currentThread()
        return thread(isDaemon = true) {
            while (true) {
                try {
                    TimeUnit.SECONDS.sleep(1)
                } catch (_: InterruptedException) {
                    return@thread
                }
                val since = started
                if (since != 0L && System.nanoTime() - since > hang) {
                    System.err.println("fuzz $current hangs:\n" + worker.stackTrace.joinToString("\n"))
                    Runtime.getRuntime().halt(1)
                }
            }
        }
    }
}

/** Numbers at and beyond the ends of their range. */
internal fun Random.extreme(): Long =
    when (nextInt(8)) {
        0 -> -1
        1 -> Long.MIN_VALUE
        2 -> Long.MAX_VALUE
        3 -> Int.MIN_VALUE.toLong()
        4 -> Int.MAX_VALUE.toLong()
        5 -> 1L shl nextInt(63)
        6 -> nextLong()
        else -> nextInt(-3, 4).toLong()
    }

internal fun Random.oneIn(n: Int): Boolean = nextInt(n) == 0

/** The exceptions that importing what is wrong may throw. */
internal fun isRefusal(failure: Throwable): Boolean =
    failure is InvalidArrayException || failure is InvalidSchemaException ||
        failure is IllegalArgumentException || failure is IllegalStateException
