package dev.arrowdevice.coroutines

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Runnable
import java.util.concurrent.locks.LockSupport
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.startCoroutine

private const val SOON_NS = 20_000L
private val HAS_OTHER_CORES = Runtime.getRuntime().availableProcessors() > 1

/**
 * Runs coroutines on the thread that waits for them, and on [elsewhere] while none waits. A thread that waits is blocked
 * anyway, so the coroutines that it waits for need no thread of a pool, of which all may be blocked in the same way.
 */
internal class WaitingThread(
    private val elsewhere: CoroutineDispatcher,
) : CoroutineDispatcher() {
    /** Guards all state. Empty while no thread waits. */
    private val tasks = ArrayDeque<Runnable>()
    private var thread: Thread? = null
    private var runsTasks = true

    /** The thread may wake itself while it looks: an unconfined coroutine runs within the call that resumes it. */
    @Volatile
    private var isWoken = false

    override fun dispatch(
        context: CoroutineContext,
        block: Runnable,
    ) {
        if (!accepts(block)) {
            elsewhere.dispatch(context, block)
        }
    }

    private fun accepts(block: Runnable): Boolean =
        synchronized(tasks) {
            val waiting = thread
            if (waiting == null || !runsTasks) return false
            tasks.addLast(block)
            isWoken = true
            unpark(waiting)
            true
        }

    /** Makes the thread that waits look at its condition again; that thread may be the caller. */
    fun wake() {
        synchronized(tasks) {
            isWoken = true
            thread?.let(::unpark)
        }
    }

    private fun unpark(waiting: Thread) {
        if (waiting !== Thread.currentThread()) {
            LockSupport.unpark(waiting)
        }
    }

    /**
     * Runs on this thread what is dispatched, until [isOver], which is asked after each. One thread at a time may wait.
     *
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    inline fun runUntil(isOver: () -> Boolean) {
        begin()
        try {
            while (!isOver()) {
                runOrPark()
            }
        } finally {
            end()
        }
    }

    private fun begin() {
        val runsTasks = !isInUnconfinedCoroutine()
        synchronized(tasks) {
            check(thread == null) { "$thread waits already" }
            thread = Thread.currentThread()
            this.runsTasks = runsTasks
        }
    }

    /**
     * Whether this thread runs a coroutine on `Dispatchers.Unconfined`. Then kotlinx.coroutines puts each further one that is
     * resumed on this thread behind it. If it waited here for such a one, it would wait for ever, so the tasks run elsewhere.
     */
    private fun isInUnconfinedCoroutine(): Boolean {
        var isPutBehind = true
        suspend { isPutBehind = false }.startCoroutine(Continuation(Dispatchers.Unconfined) {})
        return isPutBehind
    }

    private fun runOrPark() {
        val task =
            synchronized(tasks) {
                val first = tasks.removeFirstOrNull()
                if (first == null && isWoken) {
                    isWoken = false
                    return
                }
                first
            }
        if (task != null) {
            task.run()
            return
        }
        if (!isWokenSoon()) {
            LockSupport.park(this)
        }
        if (Thread.interrupted()) {
            throw InterruptedException()
        }
    }

    /**
     * Whether something happens within the time that the system takes to stop a thread and to wake it. A batch is often made
     * in less.
     */
    private fun isWokenSoon(): Boolean {
        if (!HAS_OTHER_CORES) return false
        val begin = System.nanoTime()
        while (!isWoken) {
            if (System.nanoTime() - begin > SOON_NS) return false
            Thread.onSpinWait()
        }
        return true
    }

    private fun end() {
        val left =
            synchronized(tasks) {
                thread = null
                tasks.toList().also { tasks.clear() }
            }
        left.forEach { elsewhere.dispatch(this, it) }
    }
}
