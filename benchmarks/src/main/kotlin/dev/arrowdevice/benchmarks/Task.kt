package dev.arrowdevice.benchmarks

/**
 * One line of the table: something done our way, held against what a user would otherwise pick.
 *
 * @property name what the line is called everywhere, like `exchange/int32`
 * @property what one sentence for a reader of the table
 * @property peer null where the comparison needs none
 * @property budget the least ratio that the design allows; null where it sets none
 * @property quick whether the quick mode runs it
 */
internal class Task(
    val name: String,
    val what: String,
    val ours: Measured,
    val peer: Peer?,
    val ratio: Ratio = Ratio.TimesAsFast,
    val budget: Double? = null,
    val quick: Boolean = budget != null,
)

/** The other side, and its name in the table. */
internal class Peer(
    val name: String,
    val measured: Measured,
)

/** How a ratio is made of both sides' figures. More is better in each, so that every budget is a least ratio. */
internal sealed interface Ratio {
    /** The peer's time over ours. */
    data object TimesAsFast : Ratio

    /** What we may take longer than the peer, in [nanos] an operation, over what we do take longer. */
    data class Allowance(
        val nanos: Double,
    ) : Ratio

    /** The bytes of heap that an operation may leave as garbage, over those it does. */
    data class Garbage(
        val bytes: Double,
    ) : Ratio
}

/** Something that can be run often enough to say what one operation costs. */
internal sealed interface Measured

/**
 * A method with JMH's `@Benchmark`, in average time an operation.
 *
 * @property type the class that declares it
 * @property method its name
 * @property parameters what JMH's `@Param` fields are set to
 * @property operations how many of the table's operations one call is: batches in a stream, columns in a batch
 */
internal data class Jmh(
    val type: Class<*>,
    val method: String,
    val parameters: Map<String, String> = emptyMap(),
    val threads: Int = 1,
    val operations: Long = 1,
) : Measured

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
    )
