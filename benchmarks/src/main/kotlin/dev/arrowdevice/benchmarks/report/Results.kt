package dev.arrowdevice.benchmarks.report

import com.fasterxml.jackson.annotation.JsonIgnore
import com.fasterxml.jackson.databind.SerializationFeature
import com.fasterxml.jackson.module.kotlin.jacksonMapperBuilder
import com.fasterxml.jackson.module.kotlin.readValue
import dev.arrowdevice.benchmarks.Ratio
import dev.arrowdevice.benchmarks.Task
import dev.arrowdevice.benchmarks.measure.Fork
import dev.arrowdevice.benchmarks.measure.Measurement
import dev.arrowdevice.benchmarks.measure.median
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The results of a run, and where it ran. `results.json`, the table and the pictures are made of this. */
internal data class Results(
    val run: Run,
    val lines: List<Line>,
) {
    /** Whether every task could be measured and meets its budget. */
    @get:JsonIgnore
    val isGood: Boolean
        get() = lines.none { it.failure != null || it.met == false }

    /** Whether pages may quote it: no task failed. */
    @get:JsonIgnore
    val isComplete: Boolean
        get() = lines.none { it.failure != null }

    /** Writes the figures, the table, and the table's pictures. */
    fun writeTo(folder: Path) {
        folder.createDirectories()
        folder.resolve("results.json").writeText(json.writeValueAsString(this) + "\n")
        folder.resolve("results.md").writeText(markdown())
        sections().flatMap { it.pictures }.forEach { folder.resolve(it.file).writeText(it.svg(run) + "\n") }
    }

    companion object {
        private val json = jacksonMapperBuilder().enable(SerializationFeature.INDENT_OUTPUT).build()

        fun readFrom(file: Path): Results = json.readValue(file.readText())
    }
}

/** The unit of a ratio. */
internal enum class Measure {
    /** The peer's time over ours. */
    TIMES_AS_FAST,

    /** The allowance over the nanoseconds that we take longer than the peer. */
    TIME_ABOVE_PEER,

    /** The allowance over the bytes of heap that an operation allocates. */
    HEAP,

    /** The allowance over the bytes of native memory by which a process grows. */
    GROWTH,
}

/**
 * The result of one task.
 *
 * @property measure the unit of the ratio
 * @property allowance the nanoseconds or bytes that are allowed; null for times as fast
 * @property ours null if it could not be measured
 * @property ratio null if there is none, or it could not be measured
 * @property low the lower end of the 95 % confidence interval; null if it is not known
 * @property budget the least ratio that is allowed
 * @property allowed the budget in words
 * @property met null if there is no budget, or the machine can't run the task
 * @property obstacle why this machine can't run it
 */
internal data class Line(
    val name: String,
    val what: String,
    val measure: Measure,
    val allowance: Double?,
    val ours: Side?,
    val peer: Side?,
    val ratio: Double?,
    val low: Double?,
    val high: Double?,
    val budget: Double?,
    val allowed: String?,
    val met: Boolean?,
    val failure: String? = null,
    val obstacle: String? = null,
)

/**
 * One side of a task.
 *
 * @property nanos per operation, of the middle JVM
 * @property heapBytes that an operation allocates
 * @property nativeBytes by which the program grew
 * @property waiting the share of the time, subtracted from all figures, in which something else had the core
 * @property samples the nanoseconds per operation of each JVM's iterations
 */
internal data class Side(
    val name: String,
    val nanos: Double,
    val heapBytes: Double?,
    val nativeBytes: Double?,
    val waiting: Double,
    val samples: List<List<Double>>,
)

internal const val OURS: String = "arrow-device"

/** The line of a measurement. */
internal fun Measurement.toLine(): Line {
    val budget = task.budget
    val ratio = estimate?.ratio.takeIf { failure == null }
    return Line(
        name = task.name,
        what = task.what,
        measure = task.ratio.measure,
        allowance = task.ratio.allowance,
        ours = side(OURS, samples.map { it.ours }),
        peer = task.peer?.let { peer -> side(peer.name, samples.mapNotNull { it.peer }) },
        ratio = ratio,
        low = estimate?.low?.takeIf { samples.size > 1 },
        high = estimate?.high?.takeIf { samples.size > 1 },
        budget = budget,
        allowed = budget?.let { task.ratio.allowed(it) },
        met = budget?.let { ratio != null && ratio >= it },
        failure = failure,
    )
}

/** The line of a task that this machine can't run. */
internal fun Task.notHere(obstacle: String): Line =
    Line(
        name = name,
        what = what,
        measure = ratio.measure,
        allowance = ratio.allowance,
        ours = null,
        peer = null,
        ratio = null,
        low = null,
        high = null,
        budget = budget,
        allowed = budget?.let { ratio.allowed(it) },
        met = null,
        obstacle = obstacle,
    )

private fun side(
    name: String,
    forks: List<Fork>,
): Side? {
    if (forks.isEmpty()) return null
    return Side(
        name,
        median(forks.map { it.nanos }),
        forks.mapNotNull { it.heapBytes }.takeIf { it.isNotEmpty() }?.let(::median),
        forks.mapNotNull { it.nativeBytes }.takeIf { it.isNotEmpty() }?.let(::median),
        median(forks.map { it.waiting }),
        forks.map { it.iterations },
    )
}

private val Ratio.measure: Measure
    get() =
        when (this) {
            Ratio.TimesAsFast -> Measure.TIMES_AS_FAST
            is Ratio.Allowance -> Measure.TIME_ABOVE_PEER
            is Ratio.Garbage -> Measure.HEAP
            is Ratio.Growth -> Measure.GROWTH
        }

private val Ratio.allowance: Double?
    get() =
        when (this) {
            Ratio.TimesAsFast -> null
            is Ratio.Allowance -> nanos
            is Ratio.Garbage -> bytes
            is Ratio.Growth -> bytes
        }

private fun Ratio.allowed(budget: Double): String =
    when (this) {
        Ratio.TimesAsFast -> "≥ ${budget.short()}"
        is Ratio.Allowance -> "≤ ${(nanos / budget).asTime()} more"
        is Ratio.Garbage -> "≤ ${(bytes / budget).asBytes()} of heap"
        is Ratio.Growth -> "≤ ${(bytes / budget).asBytes()} of growth"
    }
