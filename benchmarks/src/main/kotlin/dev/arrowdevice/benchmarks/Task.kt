package dev.arrowdevice.benchmarks

/**
 * One line of the table: our way of doing something, compared with what a user would otherwise choose, or with
 * ourselves: a batch of 1,000 columns with one of 10, two threads with one. [Jmh.operations] sets the unit of a figure,
 * so that such a pair compares one operation with one operation.
 *
 * @property name the name of the line everywhere, like `exchange/int32`. The part before the slash groups the table
 * @property what one sentence for a reader of the table
 * @property peer null if the task needs none
 * @property budget the least ratio that the design allows; null if it has none
 * @property quick whether the quick mode runs it
 * @property obstacle why this machine cannot run it; null if it can
 */
internal class Task(
    val name: String,
    val what: String,
    val ours: Measured,
    val peer: Peer?,
    val ratio: Ratio = Ratio.TimesAsFast,
    val budget: Double? = null,
    val quick: Boolean = budget != null,
    val obstacle: () -> String? = { null },
) {
    init {
        require(name.none(Char::isWhitespace)) {
            "the name \"$name\" has a blank, which would break the lines of the quick mode"
        }
        require(budget == null || hasRatio) { "the budget of $name needs a peer to be a ratio to" }
        require(budget != null || !quick) { "the quick mode has no line for $name, which has no budget" }
    }

    /** Whether there is a ratio. Else only the cost of an operation is reported. */
    val hasRatio: Boolean
        get() = peer != null || !ratio.needsPeer

    /** What is run, ours first. */
    val sides: List<Measured>
        get() = listOfNotNull(ours, peer?.measured)
}

/** What a task is compared with, and its name in the table. */
internal class Peer(
    val name: String,
    val measured: Measured,
)

/** How the figures of both sides become a ratio. More is always better, so that every budget is a least ratio. */
internal sealed interface Ratio {
    val needsPeer: Boolean

    /** The peer's time over ours. */
    data object TimesAsFast : Ratio {
        override val needsPeer get() = true
    }

    /** The time that we may take longer than the peer, in [nanos] per operation, over the time that we take longer. */
    data class Allowance(
        val nanos: Double,
    ) : Ratio {
        override val needsPeer get() = true
    }

    /** The bytes of heap that an operation may leave as garbage, over those that it leaves. */
    data class Garbage(
        val bytes: Double,
    ) : Ratio {
        override val needsPeer get() = false
    }

    /** The bytes of native memory by which a whole [Program] may grow, over those by which it grows. */
    data class Growth(
        val bytes: Double,
    ) : Ratio {
        override val needsPeer get() = false
    }
}

/** Something that can be run often enough to measure the cost of one operation. */
internal sealed interface Measured

/**
 * A method with JMH's `@Benchmark`, in average time per operation. A call should take much less than the 200 ms of an
 * iteration. With several threads, the time of an operation is the time between the ends of two operations on any of
 * the threads: half as much with two threads that don't disturb each other.
 *
 * @property type the class that declares it
 * @property method its name
 * @property parameters the values of JMH's `@Param` fields; a field with several default values must have one
 * @property operations the number of the table's operations in one call: batches in a stream, columns in a batch
 */
internal data class Jmh(
    val type: Class<*>,
    val method: String,
    val parameters: Map<String, String> = emptyMap(),
    val threads: Int = 1,
    val operations: Long = 1,
) : Measured

/** [Jmh] with the default values of missing parameters, so that two that run the same are equal. */
internal inline fun <reified T> jmh(
    method: String,
    vararg parameters: Pair<String, Any>,
    threads: Int = 1,
    operations: Long = 1,
): Jmh =
    Jmh(
        T::class.java,
        method,
        parameters.associate { (name, value) ->
            name to value.toString()
        },
        threads,
        operations,
    ).withDefaults()

/**
 * A program in a fresh JVM each time, which prints its own figures as one line by `Figures`. It is for things that are
 * over, or different, once a JVM is warm.
 *
 * @property type the class with its `main`
 * @property starts how often it is run for one sample
 * @property archived whether the JVM starts with a class-data archive, made in an earlier run
 * @property options further options of the JVM
 */
internal data class Program(
    val type: Class<*>,
    val starts: Int = 5,
    val archived: Boolean = false,
    val options: List<String> = emptyList(),
) : Measured
