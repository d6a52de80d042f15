package dev.arrowdevice.internal.owners

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.checkInterleavings
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.DeviceBuffer
import dev.arrowdevice.spi.ReferenceCounted
import dev.arrowdevice.spi.Verb
import io.kotest.core.spec.style.FunSpec
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.ThreadIdGen
import org.jetbrains.lincheck.datastructures.Validate
import java.util.concurrent.atomic.AtomicInteger

class OwnershipLincheckTest :
    FunSpec({
        test("reads, shares, moves and closes of one owner are linearizable") {
            checkInterleavings(Concurrent::class, Sequential::class, scenarios = 12)
        }

        test("moves and exports, taken or not, lose nothing while other threads read, share or close") {
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

        private val nothing =
            ArrayData(ArrowType.NULL, Device.CPU, 0, 0, 0, emptyArray<DeviceBuffer?>(), emptyArray(), null)

        /** Kept, or the search for leaks finds it. */
        private val ownership = Ownership(memory, null, nothing)
        private val state = ownership.state

        /** By thread, each of which writes its own. */
        private val reads = IntArray(THREADS)
        private val shares = IntArray(THREADS)
        private val moved = AtomicInteger()

        protected fun beginReadOn(thread: Int) {
            state.beginRead("read")
            reads[thread]++
            check(freed.get() == 0) { "read of freed memory" }
        }

        protected fun endReadOn(thread: Int) {
            if (reads[thread] == 0) return
            reads[thread]--
            check(freed.get() == 0) { "memory freed during a read" }
            state.endRead()
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

        protected fun moveMemory(fails: Boolean) {
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

        /** An export by a block: the consumer gets a reference, and it is released unless the consumer takes it. */
        protected fun exportByBlock(taken: Boolean) {
            state.beginBlockExport(Verb.EXPORT_ARRAY)
            check(freed.get() == 0) { "export of freed memory" }
            if (taken) moved.incrementAndGet() else memory.release()
            state.endBlockExport(taken)
        }

        protected fun closeOwner(): Boolean = state.close()

        protected fun endBorrowOfOwner() = state.endBorrow("lent")

        protected fun isOwnerLive(): Boolean = state.isLive

        protected fun closeMoved() {
            if (moved.getAndSet(0) > 0) memory.release()
        }

        /** The memory is there for as long as anybody has it, and then it is freed, once. */
        @Validate
        fun freedOnce() {
            state.close()
            repeat(THREADS) { thread ->
                while (reads[thread] > 0) endReadOn(thread)
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
        fun beginRead(
            @Param(name = "thread") thread: Int,
        ): String = result { beginReadOn(thread) }

        @Operation
        fun endRead(
            @Param(name = "thread") thread: Int,
        ) = endReadOn(thread)

        @Operation
        fun share(
            @Param(name = "thread") thread: Int,
        ): String = result { shareOn(thread) }

        @Operation
        fun unshare(
            @Param(name = "thread") thread: Int,
        ) = unshareOn(thread)

        @Operation
        fun move(): String = result { moveMemory(fails = false) }

        @Operation
        fun closeWhatWasMoved() = closeMoved()

        @Operation
        fun close(): Boolean = closeOwner()

        @Operation
        fun endBorrow() = endBorrowOfOwner()

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

    /** The table of states of [Ownership], where every operation takes no time. */
    class Sequential {
        private var state = "live"
        private val reads = IntArray(THREADS)
        private var shares = IntArray(THREADS)

        fun beginRead(thread: Int): String = ifLive { reads[thread]++ }

        fun endRead(thread: Int) {
            if (reads[thread] > 0) reads[thread]--
        }

        fun share(thread: Int): String = ifLive { shares[thread]++ }

        fun unshare(thread: Int) {
            if (shares[thread] > 0) shares[thread]--
        }

        fun move(): String = if (state == "live" && reads.sum() > 0) "borrowed" else ifLive { state = "moved" }

        fun closeWhatWasMoved() = Unit

        fun close(): Boolean = (state == "live").also { if (it) state = "closed" }

        fun endBorrow() {
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
            beginReadOn(thread)
            endReadOn(thread)
        }

        @Operation
        fun share(
            @Param(name = "thread") thread: Int,
        ) = unlessRefused {
            shareOn(thread)
            unshareOn(thread)
        }

        @Operation
        fun move(fails: Boolean) = unlessRefused { moveMemory(fails) }

        @Operation
        fun exportInBlock(taken: Boolean) = unlessRefused { exportByBlock(taken) }

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

        fun exportInBlock(taken: Boolean) = Unit

        fun close() = Unit
    }

    private companion object {
        /** Those of the scenario and the one that runs before and after them, numbered from 0 or from 1. */
        const val THREADS = 6
    }
}
