package dev.arrowdevice.benchmarks.report

import dev.arrowdevice.benchmarks.measure.MOST_TIMES_BELOW
import java.util.Locale
import kotlin.math.abs

/** Three digits, or all digits before the point if there are more. */
internal fun Double.digits(): String =
    when {
        abs(this) >= 100 -> format("%,.0f")
        abs(this) >= 10 -> format("%.1f")
        else -> format("%.2f")
    }

/** [digits] without zeros at the end. */
internal fun Double.short(): String = digits().let { if ('.' in it) it.trimEnd('0').trimEnd('.') else it }

private fun Double.format(pattern: String) = String.format(Locale.ROOT, pattern, this)

/** Nanoseconds with a suitable unit. */
internal fun Double.asTime(): String =
    when {
        abs(this) < 1e3 -> "${short()} ns"
        abs(this) < 1e6 -> "${(this / 1e3).short()} µs"
        abs(this) < 1e9 -> "${(this / 1e6).short()} ms"
        else -> "${(this / 1e9).short()} s"
    }

/** Bytes with a suitable unit. JMH's figure for an operation that allocates nothing is a little more than 0. */
internal fun Double.asBytes(): String =
    when {
        abs(this) < 0.5 -> "0 B"
        abs(this) < 1e3 -> "${format("%.0f")} B"
        abs(this) < 1e6 -> "${(this / 1e3).short()} kB"
        abs(this) < 1e9 -> "${(this / 1e6).short()} MB"
        else -> "${(this / 1e9).short()} GB"
    }

/** The ratio, with its confidence interval of 95 % if there is more than one sample. */
internal fun Line.ratioText(): String {
    val ratio = ratio ?: return if (failure != null) "failed" else "–"
    if (ratio >= MOST_TIMES_BELOW && ours != null && measure != Measure.TIMES_AS_FAST) {
        return "> ${MOST_TIMES_BELOW.short()}"
    }
    return ratio.digits() + if (low != null && high != null) " (${low.digits()} to ${high.digits()})" else ""
}

internal fun Line.oursText(): String = ours?.nanos?.asTime() ?: "–"

internal fun Line.peerText(): String = peer?.let { "${it.nanos.asTime()} ${it.name}" } ?: "–"

/** The bytes of heap that an operation allocates, or of native memory by which a program grew; then the peer's. */
internal fun Line.bytesText(): String =
    listOfNotNull(ours, peer)
        .mapNotNull { it.nativeBytes ?: it.heapBytes }
        .joinToString(" / ") { it.asBytes() }
        .ifEmpty { "–" }

internal fun Line.verdict(): String =
    when {
        failure != null -> "failed"
        obstacle != null -> "not here"
        met == null -> ""
        met -> "met"
        else -> "missed"
    }
