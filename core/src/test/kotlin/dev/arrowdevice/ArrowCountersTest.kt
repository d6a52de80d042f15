package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThan
import io.kotest.matchers.shouldBe

class ArrowCountersTest :
    FunSpec({
        extension(MemoryBalance())

        test("bytes that a growing builder reserved are told apart from those that its array fills") {
            val before = ArrowCounters.now()
            deviceArray<Long> { repeat(100_000) { add(it.toLong()) } }.use { array ->
                val change = ArrowCounters.now() - before
                change.hostUsedBytes() shouldBe 100_000L * Long.SIZE_BYTES
                change.hostBytes() shouldBeGreaterThan change.hostUsedBytes()
                array.copyTo(Device.CPU).use { copy ->
                    (ArrowCounters.now() - before).hostUsedBytes() shouldBe 2 * 100_000L * Long.SIZE_BYTES
                    copy.length shouldBe array.length
                }
            }
            val after = ArrowCounters.now() - before
            after.hostBytes() shouldBe 0
            after.hostUsedBytes() shouldBe 0
        }
    })
