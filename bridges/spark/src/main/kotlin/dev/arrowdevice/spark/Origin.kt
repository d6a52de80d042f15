package dev.arrowdevice.spark

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Schema
import org.apache.spark.sql.connector.read.InputPartition
import org.apache.spark.sql.connector.read.Statistics
import java.util.OptionalLong

/** Where rows come from. Lives on Spark's driver. */
internal interface Origin {
    /** What Spark calls it in plans; no secrets. */
    val name: String

    /** All columns that there are. */
    val schema: Schema

    /** Whether it filters and limits rows by SQL. */
    val isSql: Boolean get() = false

    fun partitions(request: Request): List<StreamPartition>

    fun statistics(): Statistics? = null
}

/** Which columns and rows are read. */
internal class Request(
    val columns: List<String>,
    val where: List<String> = emptyList(),
    val limit: Int? = null,
)

/** A partition, which travels to the executor that reads it. It prints nothing that is secret. */
internal interface StreamPartition : InputPartition {
    /** The stream, which closes with it whatever it needs. It has at least the columns that were asked for. */
    fun open(memory: TaskMemory): DeviceArrayStream
}

internal class RowCount(
    private val rows: Long?,
    private val bytes: Long?,
) : Statistics {
    override fun numRows(): OptionalLong = rows?.let(OptionalLong::of) ?: OptionalLong.empty()

    override fun sizeInBytes(): OptionalLong = bytes?.let(OptionalLong::of) ?: OptionalLong.empty()
}

/** The streams of a class of the user's. */
internal class UserOrigin(
    private val options: SourceOptions,
) : Origin {
    private val className = options.required("class")
    private val source = newSource(className)

    override val name: String get() = "arrow-device class $className"
    override val schema: Schema = source.schema(options.all)

    override fun partitions(request: Request): List<StreamPartition> =
        source.partitions(options.all).map { UserPartition(className, options, it) }

    private class UserPartition(
        private val className: String,
        private val options: SourceOptions,
        private val partition: String,
    ) : StreamPartition {
        override fun open(memory: TaskMemory): DeviceArrayStream =
            newSource(className).open(partition, options.all, memory.runtime)

        override fun toString(): String = "partition $partition of $className"
    }

    private companion object {
        /** Spark's class loader, which is that of the thread, has the user's jars. */
        fun newSource(className: String): StreamSource {
            val loader = Thread.currentThread().contextClassLoader ?: StreamSource::class.java.classLoader
            val type =
                try {
                    Class.forName(className, true, loader)
                } catch (e: ClassNotFoundException) {
                    throw IllegalArgumentException(
                        "the option class is $className, which is not on the class path; spark-submit's --jars adds to it",
                        e,
                    )
                }
            require(StreamSource::class.java.isAssignableFrom(type)) {
                "the option class is $className, which does not implement ${StreamSource::class.java.name}"
            }
            return try {
                type.getConstructor().newInstance() as StreamSource
            } catch (e: NoSuchMethodException) {
                throw IllegalArgumentException("$className has no public constructor without parameters", e)
            } catch (e: java.lang.reflect.InvocationTargetException) {
                throw e.cause ?: e
            }
        }
    }
}

/** Whether values of a type are compared in a database as Spark compares them. */
internal fun isPlain(type: ArrowType): Boolean = type.storageType() === type
