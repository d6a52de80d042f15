package dev.arrowdevice.spark

import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.DeviceType
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.ipc.ArrowFile
import dev.arrowdevice.ipc.ArrowStreamReader
import dev.arrowdevice.ipc.IpcReadOptions
import org.apache.spark.sql.connector.read.Statistics
import java.io.InputStream
import java.net.URI
import java.nio.file.Files
import java.nio.file.Path

/** Arrow IPC files: one, or all in a folder. */
internal class IpcOrigin private constructor(
    private val path: String,
    private val files: List<IpcFile>,
) : Origin {
    override val name: String get() = "arrow-device ipc $path"

    /** As Spark's own sources have it, all columns may have nulls: in the files that are added later there may be some. */
    override val schema: Schema =
        files
            .first()
            .schema
            .toSparkSchema()
            .nullable()
            .toArrowSchema()

    init {
        val expected = schema.toSparkSchema()
        files.find { it.schema.toSparkSchema().nullable() != expected }?.let {
            throw IllegalArgumentException(
                "${it.path} has other columns than ${files.first().path}: read them one by one",
            )
        }
    }

    override fun partitions(request: Request): List<StreamPartition> = files.flatMap { it.partitions() }

    override fun statistics(): Statistics =
        RowCount(files.map { it.rows }.takeIf { null !in it }?.sumOf { it!! }, files.sumOf { it.bytes })

    companion object {
        fun of(options: SourceOptions): IpcOrigin {
            options.requireKnown("a folder of files that is read", listOf("path"))
            val path = options.required("path")
            val root = localPath(path)
            require(Files.exists(root)) { "the option path is $path, where nothing is" }
            val found =
                if (Files.isDirectory(root)) {
                    Files.list(root).use { all -> all.filter(::isData).sorted().toList() }
                } else {
                    listOf(root)
                }
            require(found.isNotEmpty()) { "the option path is $path, a folder without files" }
            return IpcOrigin(path, found.map(IpcFile::of))
        }

        /** Spark's own sources leave out the same names. */
        fun isData(file: Path): Boolean = Files.isRegularFile(file) && file.fileName.toString().first() !in "._"

        /** A path of this machine, which all machines of a cluster have to share. */
        fun localPath(path: String): Path {
            val scheme = Regex("^([A-Za-z][A-Za-z0-9+.-]+):").find(path)?.groupValues?.get(1)
            require(scheme == null || scheme == "file") {
                "the option path is $path: files are read and written in folders that all machines share, not over $scheme"
            }
            return if (scheme == null) Path.of(path) else Path.of(URI.create(path).path)
        }
    }
}

/** What is known of a file without reading its batches; a stream in a file has no footer that says it. */
internal class IpcFile private constructor(
    val path: Path,
    val schema: Schema,
    val rows: Long?,
    val bytes: Long,
    private val batches: Int,
) {
    /** Some batches each, so that a large file is read by several tasks. */
    fun partitions(): List<StreamPartition> {
        if (rows == null) return listOf(IpcPartition(path.toString(), 0, -1))
        val count = (bytes / PARTITION_BYTES + 1).coerceAtMost(maxOf(batches, 1).toLong()).toInt()
        return (0 until count).map { i ->
            IpcPartition(
                path.toString(),
                (batches.toLong() * i / count).toInt(),
                (batches.toLong() * (i + 1) / count).toInt(),
            )
        }
    }

    companion object {
        /** The same as Spark's own sources. */
        private const val PARTITION_BYTES = 128L shl 20
        private const val MAGIC = "ARROW1"

        fun of(path: Path): IpcFile =
            if (Files.newInputStream(path).use { String(it.readNBytes(MAGIC.length)) } == MAGIC) {
                ArrowFile.open(path).use { file ->
                    val rows = (0 until file.batchCount).sumOf(file::rowCount)
                    IpcFile(path, file.schema, rows, Files.size(path), file.batchCount)
                }
            } else {
                ArrowStreamReader
                    .open(
                        Files.newInputStream(path),
                    ).use { IpcFile(path, it.schema, null, Files.size(path), 0) }
            }
    }
}

private class IpcPartition(
    private val path: String,
    private val from: Int,
    /** The batch to stop before; -1 for a stream, which is read whole. */
    private val until: Int,
) : StreamPartition {
    override fun open(memory: TaskMemory): DeviceArrayStream {
        val options = IpcReadOptions.defaults().withDevice(memory.runtime)
        if (until < 0) {
            val input: InputStream = Files.newInputStream(Path.of(path)).buffered()
            return try {
                ArrowStreamReader.open(input, options)
            } catch (e: Throwable) {
                input.close()
                throw e
            }
        }
        val file = ArrowFile.open(Path.of(path), options)
        val batches: Iterator<RecordBatch> = (from until until).asSequence().map(file::batch).iterator()
        return DeviceArrayStream.of(file.schema, DeviceType.CPU, batches, file)
    }

    override fun toString(): String = if (until < 0) path else "$path, batches $from to ${until - 1}"
}
