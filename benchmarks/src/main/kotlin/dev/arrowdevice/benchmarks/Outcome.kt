package dev.arrowdevice.benchmarks

/** Checks at the end of a benchmark that it did its work. */
internal object Outcome {
    @JvmStatic
    fun require(
        expected: Long,
        result: Long,
    ) {
        check(result == expected) { "the result is $result, not $expected" }
    }
}
