package dev.arrowdevice.internal.columns

import java.math.BigInteger
import kotlin.time.toJavaDuration
import kotlin.time.toJavaInstant

/** Converts a value of a class that only Kotlin has to one that the builders take. Returns any other value as it is. */
internal fun toJavaValue(value: Any): Any =
    when (value) {
        is UByte -> value.toShort()
        is UShort -> value.toInt()
        is UInt -> value.toLong()
        is ULong -> if (value <= Long.MAX_VALUE.toULong()) value.toLong() else BigInteger(value.toString())
        is Char -> value.toString()
        is kotlin.time.Instant -> value.toJavaInstant()
        is kotlin.time.Duration -> if (value.isFinite()) value.toJavaDuration() else value
        is Sequence<*> -> value.asIterable()
        else -> value
    }
