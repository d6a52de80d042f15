package dev.arrowdevice.coroutines.stress

import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutorService
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random

/** Where a cancellation may strike: the callbacks of the interfaces, and the places in the code around them. */
internal enum class Point {
    /** Before anything has begun. */
    BEFORE_START,

    /** In the block that passes the handler to the producer. */
    START,

    /** In `on_schema` or `get_schema`. */
    SCHEMA,

    /** In `on_next_task` with a task, or `get_next`. */
    NEXT,

    /** In `extract_data`. */
    EXTRACT,

    /** In `request`. */
    REQUEST,

    /** In `cancel`. */
    CANCEL,

    /** In `on_error`. */
    ERROR,

    /** In the collector, which has a batch; of an exported flow, when it is about to emit one. */
    EMIT,

    /** Between two batches of an exported flow. */
    BETWEEN,

    /** At the end of an exported flow. */
    FLOW_END,

    /** In the `on_next_task` that ends the stream. */
    END,

    /** In `release`. */
    RELEASE,

    /** Wherever the others are when a thread of its own has spun for a while. */
    ELSEWHERE,
}

/**
 * The one cancellation of a run.
 *
 * @param point where it strikes
 * @param passes how often the point is passed before
 * @param after behind the callback rather than before it
 * @param aside on another thread, which is not waited for
 * @param spins how long another thread waits
 */
internal class Strike(
    val point: Point,
    passes: Int,
    private val after: Boolean,
    private val aside: Boolean,
    private val spins: Int,
    private val otherThread: ExecutorService,
) {
    private val left = AtomicInteger(passes)
    private val struck = AtomicBoolean()
    private val plan = "$point, after $passes, behind $after, aside $aside, $spins spins"

    /** The action of a strike. */
    @Volatile
    var action: () -> Unit = {}

    /** Whether what it throws fails the code of the flow, of the user's own coroutine, and nothing else. */
    val canThrow: Boolean = !aside && point in listOf(Point.EMIT, Point.BETWEEN, Point.FLOW_END)

    val hasStruck: Boolean get() = struck.get()

    /** The code is at a point; of a callback, before it or behind it. */
    fun at(
        here: Point,
        behind: Boolean = after,
    ) {
        if (here != point || behind != after || left.getAndDecrement() != 0) return
        if (aside) otherThread.execute(::strike) else strike()
    }

    /** Runs a callback, which may be struck before and behind. */
    inline fun <T> around(
        here: Point,
        callback: () -> T,
    ): T {
        at(here, behind = false)
        return callback().also { at(here, behind = true) }
    }

    /** The run has begun: time runs for the strike from elsewhere. */
    fun begin() {
        if (point != Point.ELSEWHERE) return
        otherThread.execute {
            repeat(spins) { Thread.onSpinWait() }
            strike()
        }
    }

    /** Waits for the other thread: what the strike needs may go away afterwards. */
    fun settle() {
        CompletableFuture.runAsync({}, otherThread).join()
    }

    private fun strike() {
        struck.set(true)
        action()
    }

    override fun toString(): String = plan

    companion object {
        private const val MOST_SPINS = 40_000

        fun random(
            random: Random,
            points: List<Point>,
            otherThread: ExecutorService,
        ): Strike {
            val point = points.random(random)
            // A stream has one schema, one end, one release; the other points are passed more often.
            val passes =
                when (point) {
                    Point.NEXT, Point.EXTRACT, Point.REQUEST, Point.EMIT, Point.BETWEEN -> random.nextInt(5)
                    else -> 0
                }
            return Strike(
                point,
                passes,
                random.nextBoolean(),
                random.nextInt(3) == 0,
                random.nextInt(MOST_SPINS),
                otherThread,
            )
        }
    }
}
