package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.peers.ArrayStruct
import dev.arrowdevice.peers.PeerField
import dev.arrowdevice.spi.NativeMemory
import kotlin.random.Random

/**
 * One struct of a valid tree, as it was before anything was spoiled. It spoils what an import can check: not the
 * addresses of buffers, nor what only the size of a buffer could refute, because the interface doesn't tell it.
 */
internal class SpoiledNode(
    private val random: Random,
    private val field: PeerField,
    private val array: ArrayStruct,
) {
    private val length = array.length()
    private val offset = array.offset()
    private val buffers = List(array.bufferCount().toInt()) { array.buffer(it) }
    private val end = length + offset
    private val format = field.format
    private val isView = format == "vu" || format == "vz"

    // Two changes of length and offset together could reach behind the buffers.
    private var numbersSpoiled = false

    /** Spoils one thing and says what. */
    fun spoil(): String {
        val what =
            when (random.nextInt(6)) {
                0 -> spoilCounts()
                1 -> spoilPointers()
                2 -> spoilNumbers()
                else -> spoilContents() ?: spoilNumbers()
            }
        return "${field.name} ($format): $what"
    }

    private fun spoilCounts(): String {
        if (random.nextBoolean()) {
            val wrong = listOf(-1, Long.MAX_VALUE, Long.MIN_VALUE, 0, 1, 2)
            // How many buffers a view array has, only itself can tell; and before Arrow 1.0 a union had one more.
            val oneMore = buffers.size + 1L
            val value =
                when {
                    isView -> wrong
                    format.startsWith("+u") -> wrong - oneMore
                    else -> wrong + oneMore
                }.random(random)
            array.bufferCount(value)
            return "n_buffers $value"
        }
        val value =
            listOf(-1, Long.MAX_VALUE, Long.MIN_VALUE, 0, field.children.size - 1L, field.children.size + 1L)
                .random(random)
        array.childCount(value)
        return "n_children $value"
    }

    private fun spoilPointers(): String {
        when (random.nextInt(5)) {
            0 -> {
                array.buffers(0)
                return "buffers NULL"
            }

            1 -> {
                array.children(0)
                return "children NULL"
            }

            2 -> {
                // An array may be taken for its dictionary, if the types allow it: then nothing tells.
                val value = if (field.dictionary != null) 0 else array.address
                array.dictionary(value)
                return if (value == 0L) "dictionary NULL" else "its own dictionary"
            }

            3 -> {
                if (field.children.isNotEmpty() && array.children() != 0L) {
                    val child = random.nextInt(field.children.size)
                    array.child(child, 0)
                    return "child $child NULL"
                }
            }
        }
        if (buffers.isEmpty() || array.buffers() == 0L) return "nothing"
        val buffer = random.nextInt(buffers.size)
        array.buffer(buffer, 0)
        return "buffer $buffer NULL"
    }

    private fun spoilNumbers(): String {
        val which = if (numbersSpoiled) 3 else random.nextInt(4)
        numbersSpoiled = numbersSpoiled || which < 3
        when (which) {
            0 -> {
                val value =
                    if (random.nextBoolean()) {
                        random.nextLong(
                            length + 1,
                        )
                    } else {
                        random.nextLong(Long.MIN_VALUE, 0)
                    }
                array.length(value)
                return "length $value"
            }

            1 -> {
                array.length(Long.MAX_VALUE)
                array.offset(random.nextLong(1, 9))
                return "length and offset that overflow"
            }

            2 -> {
                // The same end, so no buffer is left.
                val value = if (random.nextBoolean()) random.nextLong(end + 1) else random.nextLong(Long.MIN_VALUE, 0)
                array.offset(value)
                if (value >= 0) array.length(end - value)
                return "offset $value"
            }

            else -> {
                val value = if (random.nextBoolean()) random.nextLong(-2, length + 2) else random.extreme()
                array.nullCount(value)
                return "null_count $value"
            }
        }
    }

    /** Null if it has no contents. */
    private fun spoilContents(): String? {
        val hasValidity = format !in setOf("n", "+r") && !format.startsWith("+u")
        if (end == 0L) return null
        if (hasValidity && (buffers.size == 1 || random.oneIn(4))) return bytes(0, (end + 7) / 8)
        return when (format) {
            "b" -> bytes(1, (end + 7) / 8)
            "u", "z" -> if (random.nextBoolean()) binaryOffset(4) else text(4)
            "U", "Z" -> if (random.nextBoolean()) binaryOffset(8) else text(8)
            "vu", "vz" -> if (random.oneIn(6)) variadicSize() else view()
            "+l", "+m" -> integer(1, 4, end + 1)
            "+L" -> integer(1, 8, end + 1)
            "+vl" -> integer(random.nextInt(1, 3), 4, end)
            "+vL" -> integer(random.nextInt(1, 3), 8, end)
            else -> ofOther()
        }
    }

    private fun ofOther(): String? {
        if (format.startsWith("+us")) return bytes(0, end)
        if (format.startsWith("+ud")) return if (random.nextBoolean()) bytes(0, end) else integer(1, 4, end)
        if (format.startsWith("+") || format == "n") return null
        val width = widthOf(format)
        return if (width == 4 || width == 8) integer(1, width, end) else bytes(1, end * width)
    }

    private fun bytes(
        buffer: Int,
        size: Long,
    ): String? {
        val address = buffers[buffer]
        if (address == 0L || size == 0L) return null
        repeat(
            random.nextInt(1, 4),
        ) { NativeMemory.putByte(address + random.nextLong(size), random.nextInt().toByte()) }
        return "bytes of buffer $buffer"
    }

    private fun integer(
        buffer: Int,
        width: Int,
        count: Long,
    ): String? {
        val address = buffers[buffer]
        if (address == 0L) return null
        return put(address, width, random.nextLong(count), random.extreme())
    }

    private fun put(
        address: Long,
        width: Int,
        index: Long,
        value: Long,
    ): String {
        if (width == 4) {
            NativeMemory.putInt(address + 4 * index, value.toInt())
        } else {
            NativeMemory.putLong(address + 8 * index, value)
        }
        return "number $index is $value"
    }

    private fun get(
        address: Long,
        width: Int,
        index: Long,
    ): Long =
        if (width ==
            4
        ) {
            NativeMemory.getInt(address + 4 * index).toLong()
        } else {
            NativeMemory.getLong(address + 8 * index)
        }

    /** Below the last one, which alone says how many bytes there are. */
    private fun binaryOffset(width: Int): String? {
        if (buffers[1] == 0L) return null
        val bytes = last(width)
        val value = if (random.oneIn(3)) random.nextLong(Int.MIN_VALUE.toLong(), 0) else random.nextLong(bytes + 1)
        return put(buffers[1], width, random.nextLong(end + 1), value)
    }

    private val lasts = HashMap<Int, Long>()

    private fun last(width: Int) = lasts.getOrPut(width) { get(buffers[1], width, end).coerceAtLeast(0) }

    init {
        if ((format == "u" || format == "z") && buffers[1] != 0L) last(4)
        if ((format == "U" || format == "Z") && buffers[1] != 0L) last(8)
    }

    private fun text(width: Int): String? = if (buffers[1] == 0L) null else bytes(2, last(width))

    private fun view(): String? {
        if (buffers[1] == 0L) return null
        val index = random.nextLong(4 * end)
        val value = if (random.nextBoolean()) random.extreme() else random.nextLong(0, 40)
        return put(buffers[1], 4, index, value)
    }

    private fun variadicSize(): String? {
        val count = buffers.size - 3
        val sizes = buffers.last()
        if (count == 0 || sizes == 0L) return null
        val index = random.nextLong(count.toLong())
        val size = get(sizes, 8, index)
        return put(sizes, 8, index, if (random.nextBoolean()) -1 else random.nextLong(size.coerceAtLeast(0) + 1))
    }

    companion object {
        /** Of a fixed-width format, in bytes. */
        fun widthOf(format: String): Int =
            when {
                format.startsWith("w:") -> format.substring(2).toInt()
                format.startsWith("d:") -> format.split(',').getOrElse(2) { "128" }.toInt() / 8
                format in setOf("c", "C") -> 1
                format in setOf("s", "S", "e") -> 2
                format in setOf("i", "I", "f", "tdD", "tts", "ttm", "tiM") -> 4
                format == "tin" -> 16
                else -> 8
            }

        /** The structs of a valid tree. */
        fun of(
            random: Random,
            field: PeerField,
            array: ArrayStruct,
        ): List<SpoiledNode> =
            buildList {
                add(SpoiledNode(random, field, array))
                field.children.forEachIndexed { i, child -> addAll(of(random, child, array.child(i))) }
                field.dictionary?.let { addAll(of(random, it, array.dictionary())) }
            }
    }
}
