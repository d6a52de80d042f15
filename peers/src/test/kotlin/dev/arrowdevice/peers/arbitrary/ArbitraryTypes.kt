package dev.arrowdevice.peers.arbitrary

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Metadata
import dev.arrowdevice.TimeUnit
import kotlin.random.Random

/** Random types, down to a given depth of nesting. */
internal class ArbitraryTypes(
    private val random: Random,
) {
    fun field(
        name: String,
        depth: Int,
    ): Field = field(name, type(depth))

    /** A field of the type, nullable or not, with metadata or without. */
    fun field(
        name: String,
        type: ArrowType,
    ): Field {
        val nullable = type.storageType() == ArrowType.NULL || random.nextInt(4) > 0
        val metadata = if (random.nextInt(4) == 0) metadata() else Metadata.EMPTY
        return Field(name, type, nullable, metadata)
    }

    /** A type that nests at most so deep. */
    fun type(depth: Int): ArrowType =
        when {
            depth > 0 && random.nextBoolean() -> nested(depth - 1)
            random.nextInt(8) == 0 -> extension(depth)
            else -> leaf()
        }

    private fun leaf(): ArrowType =
        when (random.nextInt(14)) {
            0 -> {
                ArrowType.decimal32(precision(9), random.nextInt(-2, 9))
            }

            1 -> {
                ArrowType.decimal64(precision(18), random.nextInt(-2, 18))
            }

            2 -> {
                ArrowType.decimal128(precision(38), random.nextInt(-2, 38))
            }

            3 -> {
                ArrowType.decimal256(precision(76), random.nextInt(-2, 76))
            }

            4 -> {
                ArrowType.fixedSizeBinary(random.nextInt(1, 20))
            }

            5 -> {
                ArrowType.time32(listOf(TimeUnit.SECOND, TimeUnit.MILLISECOND).random(random))
            }

            6 -> {
                ArrowType.time64(listOf(TimeUnit.MICROSECOND, TimeUnit.NANOSECOND).random(random))
            }

            7 -> {
                ArrowType.timestamp(unit(), ZONES.random(random))
            }

            8 -> {
                ArrowType.duration(unit())
            }

            else -> {
                PRIMITIVES.random(random)
            }
        }

    private fun nested(depth: Int): ArrowType =
        when (random.nextInt(13)) {
            0 -> ArrowType.list(field("item", depth))
            1 -> ArrowType.largeList(field("item", depth))
            2 -> ArrowType.listView(field("item", depth))
            3 -> ArrowType.largeListView(field("item", depth))
            4 -> ArrowType.fixedSizeList(field("item", depth), random.nextInt(0, 4))
            5, 6 -> ArrowType.struct(fields(random.nextInt(0, 7), depth))
            7 -> ArrowType.map(notNull("key", depth), field("value", depth), false)
            8 -> ArrowType.runEndEncoded(RUN_ENDS.random(random), type(depth))
            9, 10 -> ArrowType.dictionary(INTEGERS.random(random), type(depth), random.nextBoolean())
            11 -> fields(random.nextInt(1, 4), depth).let { ArrowType.sparseUnion(typeIds(it.size), it) }
            else -> fields(random.nextInt(1, 4), depth).let { ArrowType.denseUnion(typeIds(it.size), it) }
        }

    private fun extension(depth: Int): ArrowType =
        when (random.nextInt(5)) {
            0 -> ArrowType.uuid()
            1 -> ArrowType.bool8()
            2 -> ArrowType.json(listOf(ArrowType.UTF8, ArrowType.LARGE_UTF8, ArrowType.UTF8_VIEW).random(random))
            3 -> ArrowType.fixedShapeTensor(listOf(ArrowType.INT16, ArrowType.FLOAT64).random(random), listOf(2, 2))
            else -> ArrowType.extension("test.unknown", storage(depth), byteArrayOf(0, -1, 7))
        }

    private fun storage(depth: Int): ArrowType = if (depth > 0 && random.nextBoolean()) nested(depth - 1) else leaf()

    /** Fields of different names. */
    fun fields(
        count: Int,
        depth: Int,
    ): List<Field> = NAMES.shuffled(random).take(count).map { field(it, depth) }

    private fun notNull(
        name: String,
        depth: Int,
    ): Field = Field.notNull(name, generateSequence { type(depth) }.first { it.storageType() != ArrowType.NULL })

    private fun typeIds(count: Int): List<Int> = (0..127).shuffled(random).take(count)

    private fun unit(): TimeUnit = TimeUnit.entries.random(random)

    private fun precision(most: Int): Int = random.nextInt(1, most + 1)

    private fun metadata(): Metadata = Metadata.of("key", "value", "Schlüssel", "wért", "key", "again", "empty", "")

    private companion object {
        val INTEGERS =
            listOf(
                ArrowType.INT8,
                ArrowType.UINT8,
                ArrowType.INT16,
                ArrowType.UINT16,
                ArrowType.INT32,
                ArrowType.UINT32,
                ArrowType.INT64,
                ArrowType.UINT64,
            )
        val RUN_ENDS = listOf(ArrowType.INT16, ArrowType.INT32, ArrowType.INT64)
        val PRIMITIVES =
            INTEGERS +
                listOf(
                    ArrowType.NULL,
                    ArrowType.BOOL,
                    ArrowType.FLOAT16,
                    ArrowType.FLOAT32,
                    ArrowType.FLOAT64,
                    ArrowType.UTF8,
                    ArrowType.LARGE_UTF8,
                    ArrowType.UTF8_VIEW,
                    ArrowType.BINARY,
                    ArrowType.LARGE_BINARY,
                    ArrowType.BINARY_VIEW,
                    ArrowType.DATE32,
                    ArrowType.DATE64,
                    ArrowType.INTERVAL_MONTHS,
                    ArrowType.INTERVAL_DAY_TIME,
                    ArrowType.INTERVAL_MONTH_DAY_NANO,
                )
        val ZONES = listOf(null, "UTC", "Europe/Berlin", "+05:30")
        val NAMES = listOf("a", "b", "name with spaces", "größe", "世界", "", "quote\"d", "x.y")
    }
}
