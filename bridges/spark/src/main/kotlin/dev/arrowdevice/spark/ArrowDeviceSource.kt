package dev.arrowdevice.spark

import org.apache.spark.sql.connector.catalog.SessionConfigSupport
import org.apache.spark.sql.connector.catalog.SupportsRead
import org.apache.spark.sql.connector.catalog.SupportsWrite
import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.connector.catalog.TableCapability
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read.ScanBuilder
import org.apache.spark.sql.connector.write.LogicalWriteInfo
import org.apache.spark.sql.connector.write.WriteBuilder
import org.apache.spark.sql.sources.DataSourceRegister
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * What Spark finds as `format("arrow-device")`. The options say what is read or written: `driver` a database over ADBC, `path`
 * Arrow IPC files, `class` a [StreamSource]; docs/spark.md has the table of options. Options may also be set for the whole
 * session, as `spark.datasource.arrow-device.NAME`.
 *
 * Made by Spark alone.
 */
public class ArrowDeviceSource :
    DataSourceRegister,
    SessionConfigSupport {
    /** So that planning asks the database once for the columns, although Spark asks twice. */
    private var known: Origin? = null

    override fun shortName(): String = SourceOptions.PREFIX

    override fun keyPrefix(): String = SourceOptions.PREFIX

    override fun inferSchema(options: CaseInsensitiveStringMap): StructType =
        origin(SourceOptions(options)).also { known = it }.schema.toSparkSchema()

    /** So that Spark does not ask for the schema of a table that it is about to create. */
    override fun supportsExternalMetadata(): Boolean = true

    override fun getTable(
        schema: StructType,
        partitioning: Array<Transform>,
        properties: Map<String, String>,
    ): Table {
        require(partitioning.isEmpty()) { "arrow-device does not support partitionBy; leave it out" }
        return DeviceTable(schema, SourceOptions(properties), known)
    }
}

private class DeviceTable(
    private val schema: StructType,
    private val tableOptions: SourceOptions,
    private val known: Origin?,
) : SupportsRead,
    SupportsWrite {
    override fun name(): String = "arrow-device " + sourceOf(tableOptions)

    @Deprecated("Spark's name for columns()")
    override fun schema(): StructType = schema

    override fun capabilities(): Set<TableCapability> =
        setOf(
            TableCapability.BATCH_READ,
            TableCapability.BATCH_WRITE,
            TableCapability.TRUNCATE,
            TableCapability.ACCEPT_ANY_SCHEMA,
        )

    override fun newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
        DeviceScanBuilder(known ?: origin(tableOptions), schema, SourceOptions(options))

    override fun newWriteBuilder(info: LogicalWriteInfo): WriteBuilder {
        val options = SourceOptions(info.options())
        return when (sourceOf(options)) {
            Source.ADBC -> adbcWrite(info, options)
            Source.IPC -> IpcWriteBuilder(info, options)
            Source.CLASS -> throw UnsupportedOperationException("a class of streams can be read, not written")
        }
    }
}

private enum class Source(
    val option: String,
) {
    ADBC("driver"),
    IPC("path"),
    CLASS("class"),
    ;

    override fun toString(): String = name.lowercase()
}

private fun sourceOf(options: SourceOptions): Source {
    val named = Source.entries.filter { it.option in options }
    require(named.size == 1) {
        "arrow-device needs one of the options driver (a database over ADBC), path (Arrow IPC files) and class " +
            "(streams of yours); there is ${named.joinToString(" and ") { it.option }.ifEmpty { "none" }}"
    }
    return named[0]
}

private fun origin(options: SourceOptions): Origin {
    val source = sourceOf(options)
    options.requireRedacted()
    return when (source) {
        Source.ADBC -> adbcOrigin(options)
        Source.IPC -> IpcOrigin.of(options)
        Source.CLASS -> UserOrigin(options)
    }
}
