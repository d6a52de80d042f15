package dev.arrowdevice.internal.owners

import dev.arrowdevice.checkInterleavings
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.spi.Verb
import io.kotest.core.spec.style.FunSpec
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import java.util.concurrent.atomic.AtomicInteger

class HandleLincheckTest :
    FunSpec({
        test("reads, shares, moves and closes of one owner are linearizable") {
            checkInterleavings(Concurrent::class, Sequential::class, scenarios = 12)
        }

        test("moves and borrows lose nothing while other threads read, share or close") {
            checkInterleavings(ConcurrentWithFailures::class, Nothing::class, scenarios = 12)
        }
    }) {
    /** An owner, its memory, and what the threads have got from it. */
    open class Owner {
        private val freed = AtomicInteger()
        private val memory =
            object : ReferenceCounted() {
                override fun free() {
                    freed.incrementAndGet()
                }
            }

        /** Kept, or the leak net finds it. */
        private val handle = Handle(memory, null)
        private val state = handle.state

        /** By thread, each of which writes its own. */
        private val holds = IntArray(THREADS)
        private val shares = IntArray(THREADS)
        private val moved = AtomicInteger()

        protected fun holdOn(thread: Int) {
            state.hold("read")
            holds[thread]++
            check(freed.get() == 0) { "read of freed memory" }
        }

        protected fun dropOn(thread: Int) {
            if (holds[thread] == 0) return
            holds[thread]--
            check(freed.get() == 0) { "memory freed during a read" }
            state.drop()
        }

        protected fun shareOn(thread: Int) {
            state.retain("share")
            shares[thread]++
            check(freed.get() == 0) { "share of freed memory" }
        }

        protected fun unshareOn(thread: Int) {
            if (shares[thread] == 0) return
            shares[thread]--
            memory.release()
        }

        protected fun moveOut(fails: Boolean) {
            state.beginMove(Verb.WRAP)
            var done = false
            try {
                check(freed.get() == 0) { "move of freed memory" }
                if (fails) throw MoveFailed()
                moved.incrementAndGet()
                done = true
            } finally {
                state.endMove(done)
            }
        }

        /** An export by a block: the borrower gets a reference, and gives it back unless it takes it. */
        protected fun lendOut(taken: Boolean) {
            state.beginLoan(Verb.EXPORT_ARRAY)
            check(freed.get() == 0) { "loan of freed memory" }
            if (taken) moved.incrementAndGet() else memory.release()
            state.endLoan(taken)
        }

        protected fun closeOwner(): Boolean = state.close()

        protected fun expireOwner() = state.expire("lent")

        protected fun isOwnerLive(): Boolean = state.isLive

        protected fun closeMoved() {
            if (moved.getAndSet(0) > 0) memory.release()
        }

        /** The memory is there for as long as anybody has it, and then it is freed, once. */
        @Validate
        fun freedOnce() {
            state.close()
            repeat(THREADS) { thread ->
                while (holds[thread] > 0) dropOn(thread)
                while (shares[thread] > 0) unshareOn(thread)
            }
            check(moved.get() <= 1) { "moved twice" }
            closeMoved()
            check(freed.get() == 1) { "freed ${freed.get()} times" }
        }
    }

    @Param(name = "thread", gen = ThreadIdGen::class)
    class Concurrent : Owner() {
        @Operation
        fun hold(
            @Param(name = "thread") thread: Int,
        ): String = result { holdOn(thread) }

        @Operation
        fun drop(
            @Param(name = "thread") thread: Int,
        ) = dropOn(thread)

        @Operation
        fun share(
            @Param(name = "thread") thread: Int,
        ): String = result { shareOn(thread) }

        @Operation
        fun unshare(
            @Param(name = "thread") thread: Int,
        ) = unshareOn(thread)

        @Operation
        fun move(): String = result { moveOut(fails = false) }

        @Operation
        fun closeWhatWasMoved() = closeMoved()

        @Operation
        fun close(): Boolean = closeOwner()

        @Operation
        fun expire() = expireOwner()

        @Operation
        fun isLive(): Boolean = isOwnerLive()

        /** A move that is under way looks as if it were done. */
        private fun result(operation: () -> Unit): String =
            try {
                operation()
                "done"
            } catch (e: IllegalStateException) {
                val message = e.message.orEmpty()
                when {
                    "being moved" in message || "has been moved" in message -> "moved"
                    "has been closed" in message || "lent" in message -> "closed"
                    "is borrowed" in message -> "borrowed"
                    else -> message
                }
            }
    }

    /** The table of states of [Handle], where every operation takes no time. */
    class Sequential {
        private var state = "live"
        private val holds = IntArray(THREADS)
        private var shares = IntArray(THREADS)

        fun hold(thread: Int): String = ifLive { holds[thread]++ }

        fun drop(thread: Int) {
            if (holds[thread] > 0) holds[thread]--
        }

        fun share(thread: Int): String = ifLive { shares[thread]++ }

        fun unshare(thread: Int) {
            if (shares[thread] > 0) shares[thread]--
        }

        fun move(): String = if (state == "live" && holds.sum() > 0) "borrowed" else ifLive { state = "moved" }

        fun closeWhatWasMoved() = Unit

        fun close(): Boolean = (state == "live").also { if (it) state = "closed" }

        fun expire() {
            close()
        }

        fun isLive(): Boolean = state == "live"

        private fun ifLive(operation: () -> Unit): String = if (state == "live") "done".also { operation() } else state
    }

    class MoveFailed : RuntimeException()

    /** While a move is prepared, others are refused, even if it fails then: here only the memory is looked at. */
    @Param(name = "thread", gen = ThreadIdGen::class)
    class ConcurrentWithFailures : Owner() {
        @Operation
        fun read(
            @Param(name = "thread") thread: Int,
        ) = unlessRefused {
            holdOn(thread)
            dropOn(thread)
        }

        @Operation
        fun share(
            @Param(name = "thread") thread: Int,
        ) = unlessRefused {
            shareOn(thread)
            unshareOn(thread)
        }

        @Operation
        fun move(fails: Boolean) = unlessRefused { moveOut(fails) }

        @Operation
        fun lend(taken: Boolean) = unlessRefused { lendOut(taken) }

        @Operation
        fun close() {
            closeOwner()
            check(!isOwnerLive()) { "live after close" }
        }

        private fun unlessRefused(operation: () -> Unit) {
            try {
                operation()
            } catch (e: MoveFailed) {
                // The move is undone.
            } catch (e: IllegalStateException) {
                if ("freed" in e.message.orEmpty()) throw AssertionError(e)
            }
        }
    }

    /** No operation has a result. */
    @Suppress("unused", "UNUSED_PARAMETER")
    class Nothing {
        fun read(thread: Int) = Unit

        fun share(thread: Int) = Unit

        fun move(fails: Boolean) = Unit

        fun lend(taken: Boolean) = Unit

        fun close() = Unit
    }

    private companion object {
        /** Those of the scenario and the one that runs before and after them, numbered from 0 or from 1. */
        const val THREADS = 6
    }
}
