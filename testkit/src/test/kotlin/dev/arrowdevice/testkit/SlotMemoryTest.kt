package dev.arrowdevice.testkit

import dev.arrowdevice.abi.RawMemory
import dev.arrowdevice.abi.SlotMemory
import dev.arrowdevice.abi.SlotTable
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeUnique
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe

class SlotMemoryTest :
    FunSpec({
        test("all who have a number at the same time have memory of their own, all of which can be written") {
            val table = SlotTable<String>()
            val memory = SlotMemory()
            val sizes = listOf(8L, 128L, 1_000L, 16_384L, 100_000L)
            val blocks =
                List(1_000) {
                    val number = table.add("$it")
                    val size = sizes[it % sizes.size]
                    Triple(number, size, memory.allocate(number, size))
                }
            blocks.map { it.third }.shouldBeUnique()
            blocks.forEach { (number, size, address) ->
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

        test("a slot keeps its memory for the next one, and more once more was needed") {
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
    })
