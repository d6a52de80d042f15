package dev.arrowdevice.internal.abi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.ints.shouldBeLessThan
import io.kotest.matchers.longs.shouldBePositive
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import java.util.concurrent.Callable
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.Executors
import kotlin.random.Random

class SlotTableTest :
    FunSpec({
        test("an object is found under its number until it is removed") {
            val table = SlotTable<String>()
            val number = table.add("a")
            number.shouldBePositive()
            table.get(number) shouldBe "a"
            table.remove(number)
            table.get(number).shouldBeNull()
        }

        test("a reused slot has another number, and the old number finds nothing") {
            val table = SlotTable<String>()
            val numbers = List(1_000) { table.add("$it").also(table::remove) }
            numbers.shouldBeUnique()
            val last = table.add("last")
            numbers.forEach { table.get(it).shouldBeNull() }
            table.get(last) shouldBe "last"
        }

        test("unknown numbers find nothing") {
            val table = SlotTable<String>()
            table.add("a")
            listOf(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE).forEach { table.get(it).shouldBeNull() }
        }

        test("the table grows as needed and finds every object") {
            val table = SlotTable<Int>()
            val numbers = List(100_000, table::add)
            numbers.forEachIndexed { i, number -> table.get(number) shouldBe i }
            numbers.forEach(table::remove)
            table.objects().shouldBeEmpty()
        }

        test("it lists its objects and counts all that were ever added") {
            val table = SlotTable<String>()
            val numbers = listOf("a", "b", "c").map(table::add)
            table.remove(numbers[1])
            table.objects() shouldContainExactlyInAnyOrder listOf("a", "c")
            table.size() shouldBe 2
            table.added() shouldBe 3
        }

        test("short-lived objects take few more slots than were ever used at once") {
            val table = SlotTable<Int>()
            val random = Random(7)
            repeat(LONG_LIVED, table::add)
            val there = ArrayDeque<Long>()
            var highest = 0
            repeat(ROUNDS) {
                there += table.add(it)
                highest = maxOf(highest, SlotTable.slot(there.last()))
                if (there.size > SHORT_LIVED) table.remove(there.removeAt(random.nextInt(there.size)))
            }
            highest shouldBeLessThan 8 * (LONG_LIVED + SHORT_LIVED)
        }

        test("objects that stay take few more slots than there are, although another one comes and goes for each") {
            val table = SlotTable<Int>()
            var highest = 0
            repeat(ROUNDS) {
                val passing = table.add(it)
                val staying = table.add(it)
                table.remove(passing)
                highest = maxOf(highest, SlotTable.slot(staying), SlotTable.slot(passing))
            }
            highest shouldBeLessThan 8 * ROUNDS
        }

        fun loseNothing(table: SlotTable<Int>) {
            val barrier = CyclicBarrier(THREADS)
            val pool = Executors.newFixedThreadPool(THREADS)
            val handedOver = ConcurrentLinkedQueue<Pair<Long, Int>>()
            val tasks =
                List(THREADS) { thread ->
                    Callable {
                        val random = Random(thread)
                        barrier.await()
                        repeat(ROUNDS) { round ->
                            val value = thread * ROUNDS + round
                            handedOver += table.add(value) to value
                            repeat(random.nextInt(3)) {
                                handedOver.poll()?.let { (number, expected) ->
                                    table.get(number) shouldBe expected
                                    table.remove(number)
                                    table.get(number).shouldBeNull()
                                }
                            }
                        }
                    }
                }
            try {
                pool.invokeAll(tasks).forEach { it.get() }
            } finally {
                pool.shutdown()
            }
            table.objects() shouldContainExactlyInAnyOrder handedOver.map { it.second }
            table.added() shouldBe THREADS.toLong() * ROUNDS
        }

        test("threads that add objects and remove those of other threads lose nothing") { loseNothing(SlotTable()) }

        test("neither if one thread owns a stripe and all others share one") {
            repeat(3) { loseNothing(SlotTable(StripeOwners(1))) }
        }
    }) {
    private companion object {
        const val THREADS = 8
        const val ROUNDS = 20_000
        const val LONG_LIVED = 400
        const val SHORT_LIVED = 100
    }
}
