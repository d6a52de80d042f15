package dev.arrowdevice.benchmarks

/** For the end of a benchmark: it must have done what it says. */
internal object Outcome {
    @JvmStatic
    fun require(
        expected: Long,
        result: Long,
    ) {
        check(result == expected) { "the result is $result, not $expected" }
    }
}
