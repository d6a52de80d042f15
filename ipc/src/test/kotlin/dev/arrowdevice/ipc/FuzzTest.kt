package dev.arrowdevice.ipc

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.peers.arbitrary.BatchShape
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.property.RandomSource
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.channels.Channels
import kotlin.random.Random
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

/**
 * Streams and files with random damage are refused or read, and leak nothing. Each test takes a few seconds, or as many as
 * `-Dfuzz.seconds` says; `-Dfuzz=50` tries a million inputs in place of that. A failure prints a seed, and `-Dfuzz.seed=…` begins with
 * it.
 */
class FuzzTest :
    FunSpec({
        test("a damaged stream is refused with our exception, or read whole") {
            fuzz(
                "streams",
                corpus {
                    batches,
                    options,
                    ->
                    streamOf(*batches, options = options)
                },
            ) { bytes, options, random ->
                val buffer = if (random.nextBoolean()) direct(bytes) else ByteBuffer.wrap(bytes)
                consume(options) { arrowStream(buffer, options) }
            }
        }

        test("a damaged file is refused with our exception, or read whole") {
            fuzz(
                "files",
                corpus {
                    batches,
                    options,
                    ->
                    fileOf(*batches, options = options)
                },
            ) { bytes, options, random ->
                consume(options) { shuffled(bytes, options, random) }
            }
        }
    })

private fun fuzz(
    kind: String,
    seeds: List<ByteArray>,
    read: (ByteArray, IpcReadOptions, Random) -> Boolean,
) {
    val inputs =
        java.lang.Long
            .getLong("fuzz")
            ?.times(20_000)
    val first = java.lang.Long.getLong("fuzz.seed") ?: Random.nextLong().ushr(16)
    val end = TimeSource.Monotonic.markNow() + Integer.getInteger("fuzz.seconds", 4).seconds
    var tried = 0L
    var whole = 0L
    println("fuzz $kind of Arrow IPC: from -Dfuzz.seed=$first")
    ReleaseBalance.start().use {
        while (if (inputs == null) end.hasNotPassedNow() else tried < inputs) {
            val seed = first + tried++
            val random = Random(seed)
            val validation = Validation.entries.random(random)
            val options = IpcReadOptions.defaults().withValidation(validation).withMaxBatchBytes(1L shl 24)
            try {
                if (read(damaged(seeds.random(random), random), options, random)) whole++
            } catch (e: Throwable) {
                throw AssertionError("-Dfuzz.seed=$seed with $validation", e)
            }
        }
    }
    println("fuzz $kind of Arrow IPC: $tried inputs, $whole of them read whole")
}

/** The batches of a file in memory, in any order, as a stream, which closes the file. */
private fun shuffled(
    bytes: ByteArray,
    options: IpcReadOptions,
    random: Random,
): DeviceArrayStream {
    val file = ArrowFile.open(DeviceBuffer.ofByteBuffer(direct(bytes)) {}, options)
    val batches =
        (0 until minOf(file.batchCount, 4)).shuffled(random).asSequence().map { i ->
            file.rowCount(i)
            file.batchMetadata(i)
            file.batch(i)
        }
    return DeviceArrayStream.of(file.schema, DeviceType.CPU, batches.iterator(), file::close)
}

/**
 * Reads all of a stream, and the values that it has. The stream fails with our exception alone. Returns whether it was read to
 * the end.
 */
private fun consume(
    options: IpcReadOptions,
    open: () -> DeviceArrayStream,
): Boolean {
    try {
        open().use { reader ->
            while (true) {
                val batch = reader.nextBatch() ?: return true
                batch.use { weakly(options.validation) { readValues(it) } }
            }
        }
    } catch (e: ArrowIpcException) {
        return false
    }
}

/** With weaker validation than FULL, what the data says shows when it is read, as an exception of whoever reads it. */
private fun weakly(
    validation: Validation,
    read: () -> Unit,
) {
    try {
        read()
    } catch (e: RuntimeException) {
        // A timestamp may be valid in Arrow and beyond the range of java.time.
        if (validation == Validation.FULL && "outside the range of type" !in e.message.orEmpty()) throw e
    }
}

/** Small streams or files of all types, plain and compressed, with dictionaries that change and grow. */
private fun corpus(write: (Array<RecordBatch>, IpcWriteOptions) -> ByteArray): List<ByteArray> {
    val options = IpcWriteOptions.defaults().withAlignment(8).withDictionaryDeltas(true)
    val batches =
        BatchShape
            .arb()
            .samples(RandomSource.seeded(7))
            .map { it.value }
            .filter { shape -> shape.rowCount in 1..12 && shape.schema.fields().all { isWritable(it.type()) } }
            .take(60)
            .map { shape -> shape.build().batch.let { listOf(it, it.share()) } }
            .toList() + listOf(listOf(words("a", "b"), words("a", "b", "c"), words("d")), listOf(sample(), sample()))
    val corpus =
        batches.flatMap { group ->
            listOf(null, IpcCompression.LZ4_FRAME, IpcCompression.ZSTD).map {
                write(group.toTypedArray(), options.withCompression(it))
            }
        }
    batches.flatten().forEach(RecordBatch::close)
    return corpus.filter { it.size < 8000 }
}

private fun fileOf(
    vararg batches: RecordBatch,
    options: IpcWriteOptions,
): ByteArray {
    val bytes = ByteArrayOutputStream()
    ArrowFileWriter.open(Channels.newChannel(bytes), batches[0].schema, options).writing { writer ->
        batches.forEach(writer::write)
    }
    return bytes.toByteArray()
}

private val NUMBERS =
    listOf(
        0L,
        1,
        -1,
        2,
        7,
        8,
        63,
        64,
        127,
        128,
        255,
        1L shl 31,
        (1L shl 31) - 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        1L shl 50,
    )

private fun damaged(
    original: ByteArray,
    random: Random,
): ByteArray {
    var bytes = original.clone()
    repeat(random.nextInt(1, 6)) {
        if (bytes.size < 16) return bytes
        val buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
        val at = random.nextInt(bytes.size - 8)
        when (random.nextInt(7)) {
            0 -> bytes[at] = random.nextInt().toByte()
            1 -> bytes[at] = (bytes[at].toInt() xor (1 shl random.nextInt(8))).toByte()
            2 -> buffer.putInt(at / 4 * 4, NUMBERS.random(random).toInt())
            3 -> buffer.putLong(at / 8 * 8, NUMBERS.random(random))
            4 -> buffer.putInt(at / 4 * 4, buffer.getInt(at / 4 * 4) + random.nextInt(-16, 17))
            5 -> random.nextInt(bytes.size - 8).let { from -> bytes.copyInto(bytes, at, from, from + 8) }
            else -> if (random.nextInt(8) == 0) bytes = bytes.copyOf(at)
        }
    }
    return bytes
}
