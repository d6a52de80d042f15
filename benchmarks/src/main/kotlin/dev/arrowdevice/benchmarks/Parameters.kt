package dev.arrowdevice.benchmarks

import org.openjdk.jmh.annotations.Benchmark
import org.openjdk.jmh.annotations.Level
import org.openjdk.jmh.annotations.Param
import org.openjdk.jmh.annotations.Setup
import org.openjdk.jmh.annotations.State
import org.openjdk.jmh.annotations.TearDown
import java.lang.reflect.Field
import java.lang.reflect.Method

/** The method that JMH runs; null if the class has no such benchmark. */
internal fun Jmh.benchmarkMethod(): Method? =
    type.methods.find {
        it.name == method &&
            it.isAnnotationPresent(Benchmark::class.java)
    }

/**
 * The values that JMH tries for each parameter without a value: those of its class, and of the states that the method
 * takes.
 */
internal fun Jmh.defaults(): Map<String, List<String>> {
    val states =
        benchmarkMethod()?.parameterTypes?.filter { it.isAnnotationPresent(State::class.java) }.orEmpty() + type
    return states
        .flatMap { state -> generateSequence(state) { it.superclass }.flatMap { it.declaredFields.asSequence() } }
        .filter { it.isAnnotationPresent(Param::class.java) }
        .associate { it.name to it.values() }
}

/** For an enum without values, JMH tries all of its constants. */
private fun Field.values(): List<String> {
    val given = getAnnotation(Param::class.java).value.toList()
    val constants = type.enumConstants ?: return given
    return if (given.singleOrNull() == Param.BLANK_ARGS) constants.map { (it as Enum<*>).name } else given
}

/**
 * Whether JMH does untimed work before or after each call. JMH counts that work's allocations, so its figure says
 * nothing about the call.
 */
internal val Jmh.hasUntimedParts: Boolean
    get() =
        (benchmarkMethod()?.parameterTypes.orEmpty().toList() + type).flatMap { it.methods.toList() }.any {
            it.getAnnotation(Setup::class.java)?.value == Level.Invocation ||
                it.getAnnotation(TearDown::class.java)?.value == Level.Invocation
        }

internal fun Jmh.withDefaults(): Jmh =
    copy(
        parameters =
            defaults().filterValues { it.size == 1 }.mapValues { it.value.single() } + parameters,
    )
