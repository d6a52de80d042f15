package dev.arrowdevice.peers

import dev.arrowdevice.internal.abi.RawMemory
import dev.arrowdevice.internal.abi.SlotMemory
import dev.arrowdevice.internal.abi.SlotTable
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CyclicBarrier

class SlotMemoryTest :
    FunSpec({
        val keepsMemory = GuardedMemory.skipped("slots keep no memory")

        test("slots in use at the same time have separate memory, all of which can be written") {
            val table = SlotTable<String>()
            val memory = SlotMemory()
            val sizes = listOf(8L, 32L, 40L, 128L, 1_000L, 16_384L, 100_000L)
            val blocks =
                List(1_000) {
                    val number = table.add("$it")
                    val size = sizes[it % sizes.size]
                    Triple(number, size, memory.allocate(number, size))
                }
            blocks.map { it.third }.shouldBeUnique()
            blocks.forEach { (number, size, address) ->
                address % ALIGNMENT shouldBe 0
                RawMemory.putLong(address, number)
                RawMemory.putLong(address + size - Long.SIZE_BYTES, number)
            }
            blocks.forEach { (number, size, address) ->
                RawMemory.getLong(address) shouldBe number
                RawMemory.getLong(address + size - Long.SIZE_BYTES) shouldBe number
            }
            blocks.forEach { (number, size, address) ->
                memory.free(number, size, address)
                table.remove(number)
            }
        }

        test(
            "a slot keeps its memory for the next user, and grows if more is needed",
        ).config(enabledOrReasonIf = keepsMemory) {
            val table = SlotTable<String>()
            val memory = SlotMemory()

            fun block(size: Long): Long {
                val number = table.add("somebody")
                val address = memory.allocate(number, size)
                memory.free(number, size, address)
                table.remove(number)
                return address
            }
            val first = block(100)
            block(120) shouldBe first
            val larger = block(5_000)
            larger shouldNotBe 0
            block(8_000) shouldBe larger
            block(8) shouldBe larger
        }

        test(
            "small memory of neighbouring slots is adjacent and does not move",
        ).config(enabledOrReasonIf = keepsMemory) {
            val table = SlotTable<String>()
            val memory = SlotMemory()
            repeat(64) { table.add("one of the first, which keep larger blocks") }
            val numbers = List(128) { table.add("$it") }

            fun blocks(size: Long) = numbers.map { memory.allocate(it, size) }

            for ((size, step) in listOf(32L to 32L, 128L to 128L)) {
                val blocks = blocks(size)
                blocks.zipWithNext { one, next -> next - one }.toSet() shouldBe setOf(step)
                blocks.first() % LINE shouldBe 0
                numbers.zip(blocks) { number, address -> memory.free(number, size, address) }
                blocks(size / 2 + 1) shouldBe blocks
            }
        }

        test(
            "threads that use a part of the memory first at the same time get the same part",
        ).config(enabledOrReasonIf = keepsMemory) {
            repeat(200) {
                val table = SlotTable<String>()
                val memory = SlotMemory()
                val numbers = List(192) { table.add("$it") }.drop(64)
                val start = CyclicBarrier(2)
                val found =
                    List(2) { thread ->
                        CompletableFuture.supplyAsync {
                            start.await()
                            numbers.filterIndexed { i, _ -> i % 2 == thread }.map { memory.allocate(it, 16) }
                        }
                    }
                found
                    .flatMap { it.join() }
                    .sorted()
                    .zipWithNext { one, next -> next - one }
                    .toSet() shouldBe setOf(32L)
            }
        }
    })

/** The alignment of the strictest C type. */
private const val ALIGNMENT = 16

/** A line of the processor's caches. */
private const val LINE = 64
