package dev.arrowdevice.ipc

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.net.URLClassLoader
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.writeText

/** A codec that ServiceLoader finds is used in place of ours. All tests would find it, so it has a class loader of its own. */
class OwnCodecTest :
    FunSpec({
        test("a codec that is a service writes and reads in place of ours") {
            inFolder { folder ->
                folder
                    .resolve("META-INF/services")
                    .createDirectories()
                    .resolve(IpcCodec::class.java.name)
                    .writeText(KeepingCodec::class.java.name)
                val classes =
                    System.getProperty("java.class.path").split(java.io.File.pathSeparatorChar).map {
                        Path.of(it).toUri().toURL()
                    }
                URLClassLoader(
                    (listOf(folder.toUri().toURL()) + classes).toTypedArray(),
                    ClassLoader.getPlatformClassLoader(),
                ).use { loader ->
                    val there = Class.forName(CodecUse::class.java.name, true, loader)
                    there.getMethod("roundTrip").invoke(there.getField("INSTANCE").get(null)) shouldBe "2 buffers, read"
                }
            }
        }
    })

/** What runs where the codec is found. */
object CodecUse {
    fun roundTrip(): String =
        sample().use { batch ->
            val options = IpcWriteOptions.defaults().withCompression(IpcCompression.ZSTD)
            val bytes = streamOf(batch, options = options)
            val compressed = KeepingCodec.compressed
            arrowStream(bytes.inputStream()).use { reader ->
                reader.nextBatch()!!.use { read ->
                    "$compressed buffers, ${if (read.valuesEqual(batch)) "read" else "damaged"}"
                }
            }
        }
}

/** Says of two buffers that they become half as large, and keeps the other half for itself. */
class KeepingCodec : IpcCodec {
    override fun getCompression(): IpcCompression = IpcCompression.ZSTD

    override fun maxCompressedSize(byteSize: Int): Long = byteSize.toLong()

    override fun compress(
        source: ByteBuffer,
        target: ByteBuffer,
    ): Int {
        if (compressed == 2) return source.remaining() // No smaller, so it is stored as it is.
        val bytes = ByteArray(source.remaining()).also(source.duplicate()::get)
        target.duplicate().put(compressed.toByte())
        kept[compressed++] = bytes
        return 1
    }

    override fun decompress(
        source: ByteBuffer,
        target: ByteBuffer,
    ) {
        target.duplicate().put(kept.getValue(source.get(source.position()).toInt()))
    }

    companion object {
        var compressed = 0
        private val kept = mutableMapOf<Int, ByteArray>()
    }
}
