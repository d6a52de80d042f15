package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.ipc.ArrowJavaIpcReads
import dev.arrowdevice.benchmarks.ipc.ArrowJavaIpcWrites
import dev.arrowdevice.benchmarks.ipc.IpcCodecs
import dev.arrowdevice.benchmarks.ipc.IpcData
import dev.arrowdevice.benchmarks.ipc.IpcFiles
import dev.arrowdevice.benchmarks.ipc.IpcReads
import dev.arrowdevice.benchmarks.ipc.IpcWrites

/** A stream of batches. One operation is one batch. */
private class IpcStream(
    data: IpcData,
    rows: Int,
    batches: Int,
    private val operations: Long = batches.toLong(),
) {
    private val parameters = arrayOf("data" to data, "rows" to rows, "batches" to batches)

    fun written(compression: String = "NONE") =
        jmh<IpcWrites>("toChannel", *parameters, "compression" to compression, operations = operations)

    fun read(compression: String = "NONE") =
        jmh<IpcReads>("fromChannel", *parameters, "compression" to compression, operations = operations)

    fun readInPlace() = jmh<IpcReads>("inPlace", *parameters, operations = operations)

    val writtenByArrowJava =
        Peer("arrow-java", jmh<ArrowJavaIpcWrites>("toChannel", *parameters, operations = operations))

    val readByArrowJava =
        Peer("arrow-java", jmh<ArrowJavaIpcReads>("fromChannel", *parameters, operations = operations))
}

private const val COLUMN_ROWS = 10_000
private const val MILLION = 1_000_000

private val columns = IpcStream(IpcData.COLUMNS, COLUMN_ROWS, batches = 4)
private val strings = IpcStream(IpcData.STRINGS, MILLION, batches = 1)
private val small = IpcStream(IpcData.SMALL, rows = 10, batches = 10_000)

/** The bytes of heap that a small batch may leave as garbage when it is written, and when it is read. */
private const val GARBAGE = 2048.0

private val streams: List<Task> =
    listOf(
        Task(
            "ipc/write-small",
            "a batch of 10 rows of four columns, one of 10,000 in a stream that is written to a channel",
            small.written(),
            small.writtenByArrowJava,
            budget = 3.0,
        ),
        Task(
            "ipc/read-small",
            "a batch of 10 rows of four columns, one of 10,000 in a stream that is read from a channel",
            small.read(),
            small.readByArrowJava,
            budget = 3.0,
        ),
        Task(
            "ipc/write-small-garbage",
            "heap that such a batch leaves as garbage when it is written",
            small.written(),
            peer = null,
            Ratio.Garbage(GARBAGE),
            budget = 1.0,
            quick = false,
        ),
        Task(
            "ipc/read-small-garbage",
            "heap that such a batch leaves as garbage when it is read",
            small.read(),
            peer = null,
            Ratio.Garbage(GARBAGE),
            budget = 1.0,
            quick = false,
        ),
        Task(
            "ipc/write-columns",
            "a batch of 10,000 rows of 100 columns that is written to a channel, which copies it",
            columns.written(),
            columns.writtenByArrowJava,
            budget = 1.0,
            quick = false,
        ),
        Task(
            "ipc/read-columns",
            "a batch of 10,000 rows of 100 columns that is read from a channel, which copies it",
            columns.read(),
            columns.readByArrowJava,
            budget = 1.0,
            quick = false,
        ),
        Task(
            "ipc/read-columns-in-place",
            "a batch of 10,000 rows of 100 columns of a stream in memory, which is not copied",
            columns.readInPlace(),
            columns.readByArrowJava,
            budget = 5.0,
        ),
        Task(
            "ipc/write-strings",
            "a batch of a million strings of eight characters that is written to a channel, which copies it",
            strings.written(),
            strings.writtenByArrowJava,
            budget = 1.0,
            quick = false,
        ),
        Task(
            "ipc/read-strings",
            "a batch of a million strings of eight characters that is read from a channel, which copies it",
            strings.read(),
            strings.readByArrowJava,
            budget = 1.0,
            quick = false,
        ),
    )

private const val FILE_BATCHES = 4

private val fileParameters = arrayOf<Pair<String, Any>>("rows" to MILLION, "batches" to FILE_BATCHES)

private fun file(method: String) = jmh<IpcFiles>(method, *fileParameters)

private val files: List<Task> =
    listOf(
        Task(
            "ipc/file-sum",
            "a file of 16 million int64 in four batches, opened, and one column of four added up, beside its bytes",
            file("sum"),
            Peer("mapped bytes", file("raw")),
            budget = 0.91,
        ),
        Task(
            "ipc/file-sum-arrow-java",
            "a file of 16 million int64 in four batches, opened, and one column of four added up",
            file("sum"),
            Peer("arrow-java", file("arrowJavaSum")),
        ),
        Task(
            "ipc/file-open",
            "a file of 16 million int64 in four batches, opened, and each batch made",
            file("open"),
            Peer("arrow-java", file("arrowJavaOpen")),
            budget = 5.0,
            quick = false,
        ),
    )

/** What Commons Compress needs for an LZ4 frame of 80 kB is a tenth of an iteration. */
private val codecs: List<Task> =
    listOf("zstd" to ("ZSTD" to COLUMN_ROWS), "lz4" to ("LZ4_FRAME" to COLUMN_ROWS / 10)).flatMap { (name, codec) ->
        val (compression, rows) = codec
        val stream = IpcStream(IpcData.COLUMNS, rows, batches = 1)

        fun alone(method: String) =
            Peer(
                "the codec alone",
                jmh<IpcCodecs>(method, "data" to IpcData.COLUMNS, "rows" to rows, "compression" to compression),
            )
        listOf(
            Task(
                "ipc/write-$name",
                "a batch of %,d rows of 100 columns, compressed by $compression".format(rows),
                stream.written(compression),
                alone("compress"),
                budget = 0.9,
                quick = name == "zstd",
            ),
            Task(
                "ipc/read-$name",
                "a batch of %,d rows of 100 columns, decompressed by $compression".format(rows),
                stream.read(compression),
                alone("decompress"),
                budget = 0.9,
                quick = false,
            ),
        )
    }

internal val ipcTasks: List<Task> = streams + files + codecs
