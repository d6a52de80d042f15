package dev.arrowdevice

/**
 * Marks the scopes of the builders, so that inside a scope only its own functions can be called without saying whose:
 *
 * ```kotlin
 * recordBatch {
 *     column<Long>("id") {
 *         add(1L)
 *         column<Long>("other") { } // ERROR: a column is no place for a column
 *     }
 * }
 * ```
 */
@DslMarker
@Target(AnnotationTarget.CLASS, AnnotationTarget.TYPE)
@Retention(AnnotationRetention.BINARY)
internal annotation class ArrowDsl
