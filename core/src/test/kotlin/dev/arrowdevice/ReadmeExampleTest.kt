package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.objects
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

class ReadmeExampleTest :
    FunSpec({
        extension(MemoryBalance())

        test("arrays and batches are built as the README shows them") {
            deviceArray<Int> {
                add(36)
                addNull()
                add(41)
            }.use { it.objects() shouldBe listOf(36, null, 41) }
            deviceArray<String> {
                add("Ada")
                addNull()
                add("Alan")
            }.use { it.objects() shouldBe listOf("Ada", null, "Alan") }
            recordBatch {
                column<Long>("id") { addAll(1L..3L) }
                column<String>("name") {
                    add("Ada")
                    addNull()
                    add("Alan")
                }
                list<Double>("scores") {
                    add(listOf(1.0, 2.0))
                    addNull()
                    add(emptyList())
                }
            }.use { batch ->
                batch.values<Long>("id").sum() shouldBe 6L
                batch.values<String>("name").toList() shouldBe listOf("Ada", null, "Alan")
                batch.values<List<Double>>("scores").toList() shouldBe listOf(listOf(1.0, 2.0), null, emptyList())
            }
        }
    })
