package dev.arrowdevice.benchmarks

/**
 * One line of the table: something done our way, held against what a user would otherwise pick, or against ourselves: a
 * batch of 1,000 columns against one of 10, two threads against one. What a figure is counted in is set by
 * [Jmh.operations], so that such a pair is one operation against one operation.
 *
 * @property name what the line is called everywhere, like `exchange/int32`; what stands before the slash groups the table
 * @property what one sentence for a reader of the table
 * @property peer null where the comparison needs none
 * @property budget the least ratio that the design allows; null where it sets none
 * @property quick whether the quick mode runs it
 * @property obstacle why this machine cannot run it; null where it can
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

    /** Whether there is a ratio at all; else only what an operation costs is reported. */
    val hasRatio: Boolean
        get() = peer != null || !ratio.needsPeer

    /** What is run, ours first. */
    val sides: List<Measured>
        get() = listOfNotNull(ours, peer?.measured)
}

/** The other side, and its name in the table. */
internal class Peer(
    val name: String,
    val measured: Measured,
)

/** How a ratio is made of both sides' figures. More is better in each, so that every budget is a least ratio. */
internal sealed interface Ratio {
    val needsPeer: Boolean

    /** The peer's time over ours. */
    data object TimesAsFast : Ratio {
        override val needsPeer get() = true
    }

    /** What we may take longer than the peer, in [nanos] an operation, over what we do take longer. */
    data class Allowance(
        val nanos: Double,
    ) : Ratio {
        override val needsPeer get() = true
    }

    /** The bytes of heap that an operation may leave as garbage, over those it does. */
    data class Garbage(
        val bytes: Double,
    ) : Ratio {
        override val needsPeer get() = false
    }

    /** The bytes of native memory by which a whole [Program] may grow, over those by which it does. */
    data class Growth(
        val bytes: Double,
    ) : Ratio {
        override val needsPeer get() = false
    }
}

/** Something that can be run often enough to say what one operation costs. */
internal sealed interface Measured

/**
 * A method with JMH's `@Benchmark`, in average time an operation. A call should take well below the 200 ms of an iteration. With several threads, the time of an operation is that
 * between the ends of two operations on whichever threads: half as much with two threads that don't hinder each other.
 *
 * @property type the class that declares it
 * @property method its name
 * @property parameters what JMH's `@Param` fields are set to; a field with several default values must be among them
 * @property operations how many of the table's operations one call is: batches in a stream, columns in a batch
 */
internal data class Jmh(
    val type: Class<*>,
    val method: String,
    val parameters: Map<String, String> = emptyMap(),
    val threads: Int = 1,
    val operations: Long = 1,
) : Measured

/** [Jmh], with the default values of the parameters that are not given, so that two that run the same are equal. */
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
 * A program in a fresh JVM each time, which prints its own figures as one line by
 * `Figures`: for what is over, or has
 * changed, once a JVM is warm.
 *
 * @property type the class with its `main`
 * @property starts how often it is run for one sample
 * @property archived whether the JVM starts with a class-data archive, made in a run before
 * @property options further options of the JVM
 */
internal data class Program(
    val type: Class<*>,
    val starts: Int = 5,
    val archived: Boolean = false,
    val options: List<String> = emptyList(),
) : Measured
