package dev.arrowdevice.spark

import dev.arrowdevice.ipc.ArrowFileWriter
import dev.arrowdevice.ipc.IpcCompression
import dev.arrowdevice.ipc.IpcWriteOptions
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.write.BatchWrite
import org.apache.spark.sql.connector.write.DataWriter
import org.apache.spark.sql.connector.write.DataWriterFactory
import org.apache.spark.sql.connector.write.LogicalWriteInfo
import org.apache.spark.sql.connector.write.PhysicalWriteInfo
import org.apache.spark.sql.connector.write.SupportsTruncate
import org.apache.spark.sql.connector.write.Write
import org.apache.spark.sql.connector.write.WriteBuilder
import org.apache.spark.sql.connector.write.WriterCommitMessage
import org.apache.spark.sql.types.StructType
import java.io.Serializable
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively

/** A folder that files are added to, or replaced in. */
internal class IpcWriteBuilder(
    private val info: LogicalWriteInfo,
    private val options: SourceOptions,
) : SupportsTruncate {
    private var truncates = false

    init {
        options.requireKnown("a folder of files that is written", listOf("path", "compression"))
    }

    override fun truncate(): WriteBuilder = apply { truncates = true }

    override fun build(): Write {
        val folder = IpcOrigin.localPath(options.required("path"))
        require(
            !Files.isRegularFile(folder),
        ) { "the option path is $folder, which is a file; files are written into a folder" }
        info.schema().toArrowSchema()
        val job = IpcJob(folder.toString(), info.queryId(), info.schema(), compression())
        return object : Write {
            override fun description(): String = "arrow-device ipc $folder"

            override fun toBatch(): BatchWrite = IpcBatchWrite(job, truncates, options.memoryLimit, options.batchRows)
        }
    }

    private fun compression(): IpcCompression? =
        when (val name = options["compression"]?.lowercase()) {
            null, "none" -> null
            "lz4" -> IpcCompression.LZ4_FRAME
            "zstd" -> IpcCompression.ZSTD
            else -> throw IllegalArgumentException("the option compression is \"$name\", not none, lz4 or zstd")
        }
}

private class IpcJob(
    private val path: String,
    private val queryId: String,
    val schema: StructType,
    private val compression: IpcCompression?,
) : Serializable {
    val folder: Path get() = Path.of(path)

    /** What the job's tasks write to until all have succeeded. Readers leave out names that begin so. */
    val temporary: Path get() = folder.resolve("_temporary").resolve(queryId)

    fun fileName(partition: Int): String = "part-%05d-%s.arrow".format(partition, queryId)

    fun open(file: Path): ArrowFileWriter =
        ArrowFileWriter.open(file, schema.toArrowSchema(), IpcWriteOptions.defaults().withCompression(compression))
}

/** The file of a task that succeeded; none if it had no rows. */
private class WrittenFile(
    val path: String?,
    val partition: Int,
) : WriterCommitMessage

private class IpcBatchWrite(
    private val job: IpcJob,
    private val truncates: Boolean,
    private val memoryLimit: Long?,
    private val batchRows: Int,
) : BatchWrite {
    override fun createBatchWriterFactory(info: PhysicalWriteInfo): DataWriterFactory =
        IpcWriterFactory(job, memoryLimit, batchRows)

    /** As Spark's own commit protocol does it: the tasks' files move into the folder, and then `_SUCCESS` says so. */
    override fun commit(messages: Array<WriterCommitMessage?>) {
        Files.createDirectories(job.folder)
        val before = Files.list(job.folder).use { files -> files.filter(IpcOrigin::isData).toList() }
        val written = messages.filterIsInstance<WrittenFile>().filter { it.path != null }
        val added = ArrayList<Path>()

        fun add(partition: Int): Path = job.folder.resolve(job.fileName(partition)).also(added::add)
        try {
            for (file in written) Files.move(Path.of(file.path!!), add(file.partition))
            if (written.isEmpty() && (before.isEmpty() || truncates)) job.open(add(0)).use { it.finish() }
            Files.write(job.folder.resolve("_SUCCESS"), ByteArray(0))
        } catch (e: Throwable) {
            // The folder is as it was, so that the job may be run again.
            added.forEach { file -> runCatching { Files.deleteIfExists(file) }.onFailure(e::addSuppressed) }
            throw e
        }
        if (truncates) before.forEach(Files::delete)
        // The rows are there, whether or not another attempt of a task still writes.
        runCatching { removeTemporary() }
    }

    override fun abort(messages: Array<WriterCommitMessage?>) = removeTemporary()

    @OptIn(ExperimentalPathApi::class)
    private fun removeTemporary() {
        job.temporary.deleteRecursively()
        // That of other jobs, which write at the same time, stays.
        runCatching { Files.deleteIfExists(job.temporary.parent) }
    }
}

private class IpcWriterFactory(
    private val job: IpcJob,
    private val memoryLimit: Long?,
    private val batchRows: Int,
) : DataWriterFactory {
    override fun createWriter(
        partitionId: Int,
        taskId: Long,
    ): DataWriter<InternalRow> = IpcWriter(job, partitionId, taskId, TaskMemory.of(memoryLimit), batchRows)
}

/** Writes the rows of one attempt of a task into a file of its own. */
private class IpcWriter(
    private val job: IpcJob,
    private val partition: Int,
    task: Long,
    memory: TaskMemory,
    batchRows: Int,
) : DataWriter<InternalRow> {
    private val file = job.temporary.resolve("$task-${job.fileName(partition)}")
    private val rows = RowBatches(job.schema, memory, batchRows)
    private var writer: ArrowFileWriter? = null

    override fun write(row: InternalRow) {
        rows.append(row)
        if (rows.isFull) flush()
    }

    private fun flush() {
        if (rows.isEmpty) return
        val open =
            writer ?: run {
                Files.createDirectories(file.parent)
                job.open(file).also { writer = it }
            }
        rows.take().use(open::write)
    }

    override fun commit(): WriterCommitMessage {
        flush()
        writer?.finish()
        return WrittenFile(writer?.let { file.toString() }, partition)
    }

    override fun abort() {
        writer?.close()
        Files.deleteIfExists(file)
    }

    override fun close() = rows.use { writer.use { } }
}
