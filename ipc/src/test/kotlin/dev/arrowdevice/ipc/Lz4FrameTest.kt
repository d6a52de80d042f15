package dev.arrowdevice.ipc

import dev.arrowdevice.ipc.internal.codec.Codecs
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan
import io.kotest.matchers.comparables.shouldBeLessThanOrEqualTo
import io.kotest.matchers.shouldBe
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import kotlin.random.Random

/** The frames that we write, as Commons Compress reads them. Those of pyarrow are in [PythonPeerTest]. */
class Lz4FrameTest :
    FunSpec({
        val random = Random(7)

        test("bytes of all sizes come back, whether they repeat or not") {
            val alphabets = listOf(1, 2, 5, 256)
            for (size in (1..80) + listOf(255, 256, 300, 4_000, 65_535, 65_536, 65_537, 200_000)) {
                for (alphabet in alphabets) {
                    val bytes = ByteArray(size) { random.nextInt(alphabet).toByte() }
                    withClue("$size bytes of $alphabet kinds") { read(frame(bytes)) shouldBe bytes }
                }
            }
        }

        test("runs and literals of each length around the borders of their encoding come back") {
            for (run in (1..40) + (250..290) + (500..530)) {
                val bytes =
                    Random(run).nextBytes(run) + ByteArray(run) { 1 } + Random(run).nextBytes(run) + ByteArray(run)
                withClue(run) { read(frame(bytes)) shouldBe bytes }
            }
        }

        test("matches as far as they can be, and farther, come back") {
            for (distance in listOf(65_534, 65_535, 65_536, 70_000)) {
                val text = random.nextBytes(64)
                val bytes = text + random.nextBytes(distance - 64) + text
                val frame = frame(bytes)
                withClue(distance) { read(frame) shouldBe bytes }
            }
        }

        test("bytes of several blocks come back, of which one can't be compressed") {
            val bytes =
                ByteArray(4 shl 20) { (it / 100).toByte() } + random.nextBytes(4 shl 20) + ByteArray(5_000_000) { 3 }
            val frame = frame(bytes)
            read(frame) shouldBe bytes
            frame.size shouldBeLessThan (5 shl 20)
        }

        test("numbers become smaller, and what can't be compressed little larger") {
            val numbers = ByteBuffer.allocate(80_000).order(ByteOrder.LITTLE_ENDIAN)
            repeat(10_000) { numbers.putLong(it.toLong()) }
            frame(numbers.array()).size shouldBeLessThan 60_000
            frame(ByteArray(80_000)).size shouldBeLessThan 500
            frame(random.nextBytes(80_000)).size shouldBeLessThanOrEqualTo 80_000 + 15
        }
    })

private val codec by lazy { Codecs.find(IpcCompression.LZ4_FRAME) }

/** Between bytes that must stay as they are. */
private fun frame(bytes: ByteArray): ByteArray {
    val source =
        ByteBuffer
            .allocateDirect(bytes.size + 2)
            .put(1, bytes)
            .position(1)
            .limit(bytes.size + 1)
    val room = codec.maxCompressedSize(bytes.size).toInt()
    val target = ByteBuffer.allocateDirect(room + 8).position(4).limit(room + 4)
    val size = codec.compress(source, target)
    target.clear()
    target.getInt(0) shouldBe 0
    target.getInt(room + 4) shouldBe 0
    return ByteArray(size).also { target.get(4, it) }
}

private fun read(frame: ByteArray): ByteArray =
    FramedLZ4CompressorInputStream(frame.inputStream()).use { it.readAllBytes() }
