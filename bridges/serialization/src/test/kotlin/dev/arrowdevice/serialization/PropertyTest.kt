package dev.arrowdevice.serialization

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.random.Random

private val rounds = Integer.getInteger("rows.rounds", 300)

/** Random values of a class with a property of each kind. A failure names the seed. */
class PropertyTest :
    FunSpec({
        extension(Balance)

        fun withSeeds(check: (Long) -> Unit) {
            val first = java.lang.Long.getLong("rows.seed", Random.nextLong())
            for (seed in first until first + rounds) withClue("-Drows.seed=$seed") { check(seed) }
        }

        test("what is written is read") {
            withSeeds { seed ->
                val rows = RandomRows(seed).rows(Random(seed).nextInt(20))
                recordBatchOf(rows).use { it.toList<Everything>() shouldBe rows }
            }
        }

        test("also of a slice, of unions, and of columns in another order with others between") {
            val unions = ArrowFormat { unions = true }
            withSeeds { seed ->
                val random = Random(seed)
                val rows = RandomRows(seed).rows(1 + random.nextInt(20))
                val from = random.nextInt(rows.size)
                recordBatchOf(rows, unions).use { batch ->
                    batch.slice(from.toLong(), (rows.size - from).toLong()).use {
                        it.toList<Everything>(unions) shouldBe rows.drop(from)
                    }
                }
                val fields = schemaOf<Everything>().fields() + Field.nullable("unknown", ArrowType.INT8)
                recordBatchOf(rows, Schema.of(fields.shuffled(random))).use { it.toList<Everything>() shouldBe rows }
            }
        }
    })
