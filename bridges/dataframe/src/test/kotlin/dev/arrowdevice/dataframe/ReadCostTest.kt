package dev.arrowdevice.dataframe

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.longs.shouldBeGreaterThan
import org.jetbrains.kotlinx.dataframe.AnyCol

/** What a read of a value costs, which `-Dcost=true` prints. */
class ReadCostTest :
    FunSpec({
        test("nanoseconds of a read in order, and of one in a frame on the heap").config(
            enabledOrReasonIf = {
                if (System.getProperty("cost") ==
                    "true"
                ) {
                    Enabled.enabled
                } else {
                    Enabled.disabled("-Dcost=true prints them")
                }
            },
        ) {
            numbers(1_000_000).use { batch ->
                batch.toDataFrame().use { lent ->
                    val heap = lent.frame.onHeap()
                    for (name in batch.schema.names()) {
                        println(
                            "%-10s lent %6.1f ns, on the heap %6.1f ns".format(
                                name,
                                cost(lent.frame[name]),
                                cost(heap[name]),
                            ),
                        )
                    }
                    lent.frame.rowsCount().toLong() shouldBeGreaterThan 0
                }
            }
        }
    })

private fun numbers(rows: Int): RecordBatch =
    recordBatch {
        column<Long>("int64") { addAll(List(rows) { it.toLong() * 1_000 }) }
        column<Double>("float64") { addAll(List(rows) { if (it % 10 == 0) null else it / 2.0 }) }
        column<Short>("int16") { addAll(List(rows) { it.toShort() }) }
        column<String>("utf8") { addAll(List(rows) { "name $it" }) }
        dictionary<String>("dictionary") { addAll(List(rows) { "name ${it % 100}" }) }
        column<java.time.LocalDate>("date32") { addAll(List(rows) { java.time.LocalDate.ofEpochDay(it % 20_000L) }) }
        list<Int>("list") { for (i in 0 until rows) builder.append(listOf(i, i + 1)) }
    }

/** The best of some rounds. Values are looked at, so that none is left out. */
private fun cost(column: AnyCol): Double =
    List(12) {
        val start = System.nanoTime()
        var seen = 0L
        for (i in 0 until column.size()) seen += column[i].hashCode()
        check(seen != 42L)
        (System.nanoTime() - start).toDouble() / column.size()
    }.min()
