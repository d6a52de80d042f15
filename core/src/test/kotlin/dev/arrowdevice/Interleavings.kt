package dev.arrowdevice

import org.jetbrains.lincheck.datastructures.DSLScenarioBuilder
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions
import kotlin.reflect.KClass

/**
 * Runs the operations of [concurrent] on a few threads in all their interleavings, as far as the number of runs goes, and
 * holds every result against [sequential], which does the same one after the other. Two or three operations on each
 * thread show what any number of them can.
 *
 * @param scenarios how many programs of operations are made up
 * @param interleavings how many orders of the memory accesses of each are tried at most, multiplied by the system property
 * `stress`
 * @param programs which must be among them
 */
internal fun checkInterleavings(
    concurrent: KClass<*>,
    sequential: KClass<*>,
    scenarios: Int = 20,
    interleavings: Int = 200,
    threads: Int = 3,
    operations: Int = 2,
    programs: List<DSLScenarioBuilder.() -> Unit> = emptyList(),
) {
    val stress = Integer.getInteger("stress", 1)
    ModelCheckingOptions()
        .apply { programs.forEach { addCustomScenario(it) } }
        .sequentialSpecification(sequential.java)
        .iterations(scenarios * minOf(stress, MOST_SCENARIOS))
        .invocationsPerIteration(interleavings * stress)
        .threads(threads)
        .actorsPerThread(operations)
        .actorsBefore(0)
        .actorsAfter(0)
        .loopBound(LONGEST_LOOP)
        .check(concurrent.java)
}

/** How many times as many scenarios a long run has at most: more interleavings of each find more. */
private const val MOST_SCENARIOS = 3

/** A run with more turns is taken for a loop that waits. The longest run without one has 64. */
private const val LONGEST_LOOP = 200
