package dev.arrowdevice.ipc

import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import java.io.ByteArrayInputStream
import java.io.File
import java.nio.file.Path

/** The libraries of the codecs are optional. */
class MissingCodecTest :
    FunSpec({
        fun lines(vararg without: String): List<String> {
            val java = Path.of(System.getProperty("java.home"), "bin", "java")
            val classPath =
                System.getProperty("java.class.path").split(File.pathSeparator).filter { jar ->
                    without.none { it in jar.substringAfterLast(File.separatorChar) }
                }
            val options = listOf("-Xmx256m", "-cp", classPath.joinToString(File.pathSeparator))
            val process =
                ProcessBuilder(listOf("$java") + options + listOf(Compresses::class.java.name, compressed()))
                    .redirectErrorStream(true)
                    .start()
            return process.inputStream
                .bufferedReader()
                .readLines()
                .filter { it.startsWith("> ") }
        }

        val noLz4 =
            "buffers are compressed by LZ4_FRAME, which needs org.apache.commons:commons-compress, " +
                "with its commons-codec, on the class path"
        val noZstd = "buffers are compressed by ZSTD, which needs com.github.luben:zstd-jni on the class path"

        fun refused(message: String) = List(2) { "> UnsupportedOperationException: $message" }
        val fine = List(2) { "> fine" }

        test("a library that is missing is named when a compressed stream is written, and when one is read") {
            lines("commons-compress", "zstd-jni") shouldContainExactly refused(noLz4) + refused(noZstd)
            lines("commons-codec") shouldContainExactly refused(noLz4) + fine
            lines() shouldContainExactly fine + fine
        }
    })

/** A stream of each compression, in hexadecimal digits, one after the other. */
private fun compressed(): String =
    IpcCompression.entries.joinToString(",") { compression ->
        val options = IpcWriteOptions.defaults().withCompression(compression)
        batch().use { streamOf(it, options = options) }.joinToString("") { "%02x".format(it) }
    }

private fun batch() = recordBatch { column<Long>("n") { repeat(1_000) { add(it.toLong()) } } }

/** Writes and reads a stream of each compression, and prints how that went. */
object Compresses {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val streams =
            arguments.single().split(",").map { hex ->
                hex.chunked(2).map { it.toInt(16).toByte() }.toByteArray()
            }
        IpcCompression.entries.zip(streams).forEach { (compression, bytes) ->
            say {
                batch().use { streamOf(it, options = IpcWriteOptions.defaults().withCompression(compression)) }
            }
            say { ArrowStreamReader.open(ByteArrayInputStream(bytes)).use { it.nextBatch()!!.close() } }
        }
    }

    private fun say(action: () -> Unit) {
        val said =
            try {
                ReleaseBalance.start().use { action() }
                "fine"
            } catch (e: Throwable) {
                "${e.javaClass.simpleName}: ${e.message}"
            }
        println("> $said")
    }
}
