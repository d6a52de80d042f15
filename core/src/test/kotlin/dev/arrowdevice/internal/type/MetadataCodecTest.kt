package dev.arrowdevice.internal.type

import dev.arrowdevice.InvalidSchemaException
import dev.arrowdevice.Metadata
import dev.arrowdevice.metadataBytes
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.ByteOrder

/** Bytes without a known end, like those behind a pointer: remembers how far it was read. */
private class Pointer(
    private val bytes: ByteArray,
) : MetadataCodec.ByteSource {
    var end = 0L

    override fun int32(offset: Long): Int {
        end = maxOf(end, offset + 4)
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt(offset.toInt())
    }

    override fun bytes(
        offset: Long,
        length: Int,
    ): ByteArray {
        end = maxOf(end, offset + length)
        return bytes.copyOfRange(offset.toInt(), offset.toInt() + length)
    }
}

class MetadataCodecTest :
    FunSpec({
        val malformed =
            mapOf(
                metadataBytes() to "0: expected 4 bytes with the number of entries, got 0 bytes",
                byteArrayOf(1, 0, 0) to "0: expected 4 bytes with the number of entries, got 3 bytes",
                metadataBytes(-1) to "0: expected the number of entries, 0 to 0, got -1",
                metadataBytes(1) to "0: expected the number of entries, 0 to 0, got 1",
                metadataBytes(3, 0, 0, 0, 0) to "0: expected the number of entries, 0 to 2, got 3",
                metadataBytes(Int.MAX_VALUE, 0, 0) to "0: expected the number of entries, 0 to 1, got 2147483647",
                metadataBytes(1, -4, "key1", 0) to "4: expected the length of the key of entry 0, 0 to 8, got -4",
                metadataBytes(1, 9, "key1", 0) to "4: expected the length of the key of entry 0, 0 to 8, got 9",
                metadataBytes(1, 4, "key1", -1) to "12: expected the length of the value of entry 0, 0 to 0, got -1",
                metadataBytes(1, 4, "key1", 2, "v") to "12: expected the length of the value of entry 0, 0 to 1, got 2",
                metadataBytes(1, 4, "key1") to
                    "12: expected 4 bytes with the length of the value of entry 0, got 0 bytes",
                metadataBytes(2, 1, "k", 1, "v", 1, "k", 6, "v") to
                    "19: expected the length of the value of entry 1, 0 to 1, got 6",
                metadataBytes(1, 1, "k", 1, "v", "more") to "14: expected the end, got 4 more bytes",
                metadataBytes(0, 0) to "4: expected the end, got 4 more bytes",
            )
        for ((bytes, message) in malformed) {
            test("bytes ${bytes.toList()} are refused at ${message.substringBefore(':')}") {
                shouldThrow<InvalidSchemaException> { Metadata.decode(bytes) }.message shouldBe
                    "metadata at byte $message"
            }
        }

        test("bytes without a known length are read up to their last one") {
            val encoded = Metadata.of("key", "value", "key", "").encode()
            val pointer = Pointer(encoded + ByteArray(8) { -1 })
            MetadataCodec.decode(pointer) shouldBe Metadata.of("key", "value", "key", "")
            pointer.end shouldBe encoded.size.toLong()
        }

        val implausible =
            mapOf(
                metadataBytes(-1) to "0: expected the number of entries, 0 to 1048576, got -1",
                metadataBytes(1048577) to "0: expected the number of entries, 0 to 1048576, got 1048577",
                metadataBytes(1, -1) to "4: expected the length of the key of entry 0, 0 to 67108856, got -1",
                metadataBytes(1, 1, "k", 67108852) to
                    "9: expected the length of the value of entry 0, 0 to 67108851, got 67108852",
            )
        for ((bytes, message) in implausible) {
            test("behind a pointer, ${message.substringAfter("expected ")} is refused before anything is read for it") {
                val pointer = Pointer(bytes)
                shouldThrow<InvalidSchemaException> { MetadataCodec.decode(pointer) }.message shouldBe
                    "metadata at byte $message"
                pointer.end shouldBeLessThanOrEqual bytes.size.toLong()
            }
        }

        test("no metadata is a count of 0") {
            Metadata.EMPTY.encode() shouldBe ByteArray(4)
            MetadataCodec.decode(Pointer(ByteArray(4))) shouldBe Metadata.EMPTY
        }
    })
