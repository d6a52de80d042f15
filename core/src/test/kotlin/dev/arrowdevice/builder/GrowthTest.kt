package dev.arrowdevice.builder

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.comparables.shouldBeLessThan

class GrowthTest :
    FunSpec({
        extension(MemoryBalance())

        test(
            "memory for large values doubles, because a block beyond the machine's memory is refused, touched or not",
        ) {
            val value = ByteArray(1 shl 20)
            val before = ArrowCounters.now().hostBytes()
            build(ArrowType.fixedSizeBinary(value.size)) {
                repeat(65) { appendAll(listOf(value)) }
                ArrowCounters.now().hostBytes() - before shouldBeLessThan 150L * value.size
            }.close()
        }
    })
