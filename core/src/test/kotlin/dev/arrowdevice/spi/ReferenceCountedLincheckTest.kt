package dev.arrowdevice.spi

import dev.arrowdevice.checkInterleavings
import io.kotest.core.spec.style.FunSpec
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Validate
import java.util.concurrent.atomic.AtomicInteger

class ReferenceCountedLincheckTest :
    FunSpec({
        test("releasing the last reference frees once, on that thread, and no later retain succeeds") {
            checkInterleavings(Concurrent::class, Sequential::class)
        }
    }) {
    class Concurrent {
        private val freed = AtomicInteger()

        @Volatile
        private var freedBy: Thread? = null

        private val resource =
            object : ReferenceCounted() {
                override fun free() {
                    freedBy = Thread.currentThread()
                    freed.incrementAndGet()
                }
            }

        @Operation
        fun retain(): Boolean = resource.tryRetain()

        @Operation
        fun release(): String {
            val before = freedBy
            try {
                resource.release()
            } catch (e: IllegalStateException) {
                return "none left"
            }
            return if (before == null && freedBy === Thread.currentThread()) "freed" else "released"
        }

        @Validate
        fun freedOnceAtMost() {
            check(freed.get() <= 1) { "freed ${freed.get()} times" }
            check((resource.referenceCount == 0) == (freed.get() == 1))
        }
    }

    class Sequential {
        private var references = 1

        fun retain(): Boolean = (references > 0).also { if (it) references++ }

        fun release(): String =
            when (references) {
                0 -> "none left"
                1 -> "freed"
                else -> "released"
            }.also { if (references > 0) references-- }
    }
}
