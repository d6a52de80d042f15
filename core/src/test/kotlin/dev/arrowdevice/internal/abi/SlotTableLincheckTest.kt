package dev.arrowdevice.internal.abi

import dev.arrowdevice.checkInterleavings
import io.kotest.core.spec.style.FunSpec
import org.jetbrains.lincheck.datastructures.DSLScenarioBuilder
import org.jetbrains.lincheck.datastructures.IntGen
import org.jetbrains.lincheck.datastructures.Operation
import org.jetbrains.lincheck.datastructures.Param
import org.jetbrains.lincheck.datastructures.Validate
import java.util.TreeSet
import java.util.concurrent.atomic.AtomicLongArray
import kotlin.concurrent.thread

class SlotTableLincheckTest :
    FunSpec({
        test("a number finds its object or nothing while other threads add and remove objects") {
            val programs = listOf(slotComesBack, slotIsUsedAgain)
            for (type in listOf(SharedStripe::class, OwnedStripe::class)) {
                checkInterleavings(type, Sequential::class, 3, threads = 2, operations = 3, programs = programs)
            }
        }
    }) {
    /** A table whose threads all share one stripe. */
    class SharedStripe : Concurrent(StripeOwners(0))

    /** A table with a stripe that the first thread owns that adds, and a stripe for the others. */
    class OwnedStripe : Concurrent(StripeOwners(1))

    /** A table, and the numbers that its threads have shared, by key. */
    abstract class Concurrent internal constructor(
        owners: StripeOwners,
    ) {
        private val table = SlotTable<String>(owners)
        private val numbers = AtomicLongArray(KEYS)

        init {
            // So that there are slots: making them takes long, and all wait for it. By a thread that has ended, so that
            // the stripe has no owner now.
            thread { table.remove(table.add("first")) }.join()
        }

        @Operation
        fun add(
            @Param(gen = IntGen::class, conf = "0:2") key: Int,
        ): Boolean {
            val number = table.add("$key")
            val added = numbers.compareAndSet(key, 0, number)
            if (!added) table.remove(number)
            return added
        }

        /** Also by a number that is stale by now, whose slot may have another object. */
        @Operation
        fun get(
            @Param(gen = IntGen::class, conf = "0:2") key: Int,
        ): String {
            val number = numbers.get(key)
            return (if (number == 0L) null else table.get(number)).toString()
        }

        @Operation
        fun remove(
            @Param(gen = IntGen::class, conf = "0:2") key: Int,
        ): Boolean {
            val number = numbers.getAndSet(key, 0)
            if (number != 0L) table.remove(number)
            return number != 0L
        }

        // Java's collections: Lincheck takes seconds to instrument Kotlin's, and then takes the test for a hang.
        @Validate
        fun nothingIsLost() {
            val expected = TreeSet<String>()
            for (key in 0 until KEYS) {
                if (numbers.get(key) != 0L) expected.add("$key")
            }
            requireObjects(expected)
            // No slot that is in use is assigned again.
            for (i in 0 until MORE) {
                table.add("more $i")
                expected.add("more $i")
            }
            requireObjects(expected)
        }

        private fun requireObjects(expected: TreeSet<String>) {
            val objects = table.objects()
            check(objects.size == expected.size && TreeSet(objects) == expected) { "$objects instead of $expected" }
        }
    }

    class Sequential {
        private val there = BooleanArray(KEYS)

        fun add(key: Int): Boolean = !there[key].also { there[key] = true }

        fun get(key: Int): String = if (there[key]) "$key" else "null"

        fun remove(key: Int): Boolean = there[key].also { there[key] = false }
    }

    private companion object {
        /** A slot comes back while another thread is about to take it. */
        val slotComesBack: DSLScenarioBuilder.() -> Unit = {
            parallel {
                thread { actor(Concurrent::add, 0) }
                thread {
                    actor(Concurrent::add, 1)
                    actor(Concurrent::add, 2)
                    actor(Concurrent::remove, 1)
                }
            }
        }

        /** A number is stale by the time that it is looked up, and its slot has another object. */
        val slotIsUsedAgain: DSLScenarioBuilder.() -> Unit = {
            initial { actor(Concurrent::add, 0) }
            parallel {
                thread { actor(Concurrent::get, 0) }
                thread {
                    actor(Concurrent::remove, 0)
                    actor(Concurrent::add, 1)
                }
            }
        }

        const val KEYS = 3
        const val MORE = 4
    }
}
