package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrowType
import dev.arrowdevice.TypeId
import dev.arrowdevice.spi.BufferKind
import dev.arrowdevice.spi.DeviceBuffer
import java.io.ByteArrayOutputStream
import kotlin.random.Random

/** Strings and bytes, addressed by offsets or by views. */
internal class ByteContents(
    private val random: Random,
    private val memory: Memory,
) {
    private var json = false

    /** Makes the strings that the body builds JSON, on request. */
    fun <T> ofJson(
        wanted: Boolean,
        body: () -> T,
    ): T {
        json = wanted
        return body().also { json = false }
    }

    /** Bytes between offsets; some before the first, under nulls, and behind the last belong to no value. */
    fun withOffsets(
        type: ArrowType,
        slots: Slots,
    ): Generated {
        if (slots.count == 0 && random.nextBoolean()) return slots.generated(listOf(), listOf(null, null))
        val bytes = ByteArrayOutputStream()
        bytes.writeBytes(random.nextBytes(random.nextInt(5)))
        val offsets = mutableListOf(bytes.size())
        val values =
            List(slots.count) { slot ->
                val content = if (slots.isValid(slot)) content(type) else random.nextBytes(random.nextInt(5))
                bytes.writeBytes(content)
                offsets += bytes.size()
                value(type, content)
            }
        bytes.writeBytes(random.nextBytes(random.nextInt(5)))
        val wide = type.layout().buffers()[1] == BufferKind.OFFSETS64
        return slots.generated(
            values,
            listOf(memory.buffer(offsetBytes(offsets, wide)), memory.buffer(bytes.toByteArray())),
        )
    }

    /** Views into up to three buffers, or none if all values are short; under nulls they are anything. */
    fun withViews(
        type: ArrowType,
        slots: Slots,
    ): Generated {
        val variadic = List(random.nextInt(1, 4)) { ByteArrayOutputStream() }
        variadic.forEach { it.writeBytes(random.nextBytes(random.nextInt(5))) }
        val views = nativeBytes(slots.count * VIEW_SIZE)
        var outOfLine = false
        val values =
            List(slots.count) { slot ->
                val content = content(type)
                if (!slots.isValid(slot)) {
                    views.put(random.nextBytes(VIEW_SIZE))
                } else if (content.size <= MOST_INLINE) {
                    views.putInt(content.size).put(content.copyOf(MOST_INLINE))
                } else {
                    val buffer = random.nextInt(variadic.size)
                    views
                        .putInt(
                            content.size,
                        ).put(content, 0, PREFIX_SIZE)
                        .putInt(buffer)
                        .putInt(variadic[buffer].size())
                    variadic[buffer].writeBytes(content)
                    outOfLine = true
                }
                value(type, content)
            }
        val data: List<DeviceBuffer> = if (outOfLine) variadic.map { memory.buffer(it.toByteArray()) } else listOf()
        return slots.generated(values, listOf(memory.buffer(views.array())) + data)
    }

    private fun content(type: ArrowType): ByteArray =
        when {
            json -> JSON.random(random).encodeToByteArray()
            isText(type) -> text().encodeToByteArray()
            else -> random.nextBytes(size())
        }

    private fun value(
        type: ArrowType,
        content: ByteArray,
    ): Any = if (isText(type)) content.decodeToString() else content

    private fun text(): String = buildString { repeat(size()) { append(CHARACTERS.random(random)) } }

    /** Most often short, sometimes exactly what a view holds inline or one more. */
    private fun size(): Int = if (random.nextInt(3) == 0) random.nextInt(11, 40) else random.nextInt(6)

    private fun isText(type: ArrowType): Boolean =
        type.id() == TypeId.UTF8 || type.id() == TypeId.LARGE_UTF8 || type.id() == TypeId.UTF8_VIEW

    private companion object {
        const val VIEW_SIZE = 16
        const val MOST_INLINE = 12
        const val PREFIX_SIZE = 4
        val CHARACTERS = listOf("a", "Z", " ", "\u0000", "\"", "\\", "\n", "ß", "€", "世", "🚀", "e\u0301")
        val JSON = listOf("null", "{}", "[1, 2, 3]", """{"größe": "世界"}""", "\"text of some length\"")
    }
}
