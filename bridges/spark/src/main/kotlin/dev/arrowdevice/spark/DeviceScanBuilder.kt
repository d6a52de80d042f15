package dev.arrowdevice.spark

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read.Batch
import org.apache.spark.sql.connector.read.InputPartition
import org.apache.spark.sql.connector.read.PartitionReader
import org.apache.spark.sql.connector.read.PartitionReaderFactory
import org.apache.spark.sql.connector.read.Scan
import org.apache.spark.sql.connector.read.Statistics
import org.apache.spark.sql.connector.read.SupportsPushDownLimit
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters
import org.apache.spark.sql.connector.read.SupportsReportStatistics
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.ColumnarBatch

/** What Spark wants of the rows, as far as the origin can leave out the others. */
internal class DeviceScanBuilder(
    private val origin: Origin,
    private val schema: StructType,
    private val options: SourceOptions,
) : SupportsPushDownRequiredColumns,
    SupportsPushDownV2Filters,
    SupportsPushDownLimit {
    private var columns = schema.fieldNames().toList()
    private var pushed = listOf<Pair<Predicate, SqlCondition>>()
    private var limit: Int? = null

    init {
        requireColumns()
    }

    /** The user may name the schema; what is there decides. */
    private fun requireColumns() {
        val there = origin.schema.toSparkSchema()
        val twice =
            there
                .fieldNames()
                .groupBy { it }
                .filterValues { it.size > 1 }
                .keys
        require(twice.isEmpty()) {
            "${origin.name} has several columns with the name \"${twice.first()}\"; Spark asks for columns by name: rename them"
        }
        for (field in schema.fields()) {
            val found = there.fields().find { it.name() == field.name() }
            requireNotNull(found) {
                "${origin.name} has no column \"${field.name()}\"; there are: ${there.fieldNames().joinToString()}"
            }
            require(found.dataType() == field.dataType()) {
                "column \"${field.name()}\" is ${found.dataType().sql()}, and the schema says ${field.dataType().sql()}; cast it in Spark"
            }
        }
    }

    override fun pruneColumns(required: StructType) {
        columns = required.fieldNames().toList()
    }

    override fun pushPredicates(predicates: Array<Predicate>): Array<Predicate> {
        if (!origin.isSql) return predicates
        val sql = SqlPredicates(origin.schema, SqlNames(options))
        pushed = predicates.mapNotNull { predicate -> sql.condition(predicate)?.let { predicate to it } }
        val exact = pushed.filter { it.second.isExact }.map { it.first }.toSet()
        return predicates.filterNot { it in exact }.toTypedArray()
    }

    override fun pushedPredicates(): Array<Predicate> = pushed.map { it.first }.toTypedArray()

    override fun pushLimit(limit: Int): Boolean {
        if (origin.isSql) this.limit = limit
        return origin.isSql
    }

    /** Each partition has as many rows, so Spark limits them again. */
    override fun isPartiallyPushed(): Boolean = true

    override fun build(): Scan {
        val read = StructType(columns.map { schema.apply(it) }.toTypedArray())
        return DeviceScan(origin, read, Request(columns, pushed.map { it.second.text }, limit), options.memoryLimit)
    }
}

private class DeviceScan(
    private val origin: Origin,
    private val columns: StructType,
    private val request: Request,
    private val memoryLimit: Long?,
) : Batch,
    SupportsReportStatistics {
    override fun readSchema(): StructType = columns

    override fun description(): String =
        origin.name + " [" + request.columns.joinToString() + "]" +
            (if (request.where.isEmpty()) "" else " where " + request.where.size + " conditions") +
            (request.limit?.let { " limit $it" } ?: "")

    override fun toBatch(): Batch = this

    override fun estimateStatistics(): Statistics =
        (if (request.where.isEmpty() && request.limit == null) origin.statistics() else null) ?: RowCount(null, null)

    override fun planInputPartitions(): Array<InputPartition> = origin.partitions(request).toTypedArray()

    override fun createReaderFactory(): PartitionReaderFactory = DeviceReaderFactory(columns, memoryLimit)
}

private class DeviceReaderFactory(
    private val columns: StructType,
    private val memoryLimit: Long?,
) : PartitionReaderFactory {
    override fun supportColumnarReads(partition: InputPartition): Boolean = true

    override fun createReader(partition: InputPartition): PartitionReader<InternalRow> =
        throw UnsupportedOperationException("arrow-device reads batches, not rows")

    override fun createColumnarReader(partition: InputPartition): PartitionReader<ColumnarBatch> =
        DeviceReader(partition as StreamPartition, columns, TaskMemory.of(memoryLimit))
}
