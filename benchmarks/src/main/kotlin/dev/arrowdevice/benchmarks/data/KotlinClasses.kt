package dev.arrowdevice.benchmarks.data

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.add
import dev.arrowdevice.recordBatch
import dev.arrowdevice.serialization.recordBatchOf
import dev.arrowdevice.serialization.toList
import dev.arrowdevice.values
import kotlinx.serialization.Serializable

/** A flat class of ten properties. */
@Serializable
internal data class Trade(
    val id: Long,
    val account: Long,
    val quantity: Int,
    val venue: Int?,
    val price: Double,
    val fee: Double,
    val open: Boolean,
    val side: Boolean,
    val symbol: String,
    val note: String?,
)

/** Objects to batches and back, by the format and by hand. */
internal object KotlinClasses {
    @JvmStatic
    fun trades(count: Int): List<*> =
        List(count) { i ->
            Trade(
                i.toLong(),
                i * 31L,
                i % 1_000,
                if (i % 10 == 0) null else i % 7,
                i * 0.5,
                i * 0.001,
                i and 1 == 1,
                i and 2 == 2,
                "SYM${i % 500}",
                if (i % 2 == 0) null else "note $i",
            )
        }

    @JvmStatic
    fun toBatch(trades: List<*>): RecordBatch = recordBatchOf(tradesOf(trades))

    /** Java does not see the class. */
    @Suppress("UNCHECKED_CAST")
    private fun tradesOf(trades: List<*>): List<Trade> = trades as List<Trade>

    @JvmStatic
    fun toBatchByHand(trades: List<*>): RecordBatch =
        recordBatch {
            val id = column<Long>("id", nullable = false)
            val account = column<Long>("account", nullable = false)
            val quantity = column<Int>("quantity", nullable = false)
            val venue = column<Int>("venue")
            val price = column<Double>("price", nullable = false)
            val fee = column<Double>("fee", nullable = false)
            val open = column<Boolean>("open", nullable = false)
            val side = column<Boolean>("side", nullable = false)
            val symbol = column<String>("symbol", nullable = false)
            val note = column<String>("note")
            for (trade in tradesOf(trades)) {
                id.add(trade.id)
                account.add(trade.account)
                quantity.add(trade.quantity)
                venue.add(trade.venue)
                price.add(trade.price)
                fee.add(trade.fee)
                open.add(trade.open)
                side.add(trade.side)
                symbol.add(trade.symbol)
                note.add(trade.note)
            }
        }

    @JvmStatic
    fun toList(batch: RecordBatch): List<Trade> = batch.toList<Trade>()

    @JvmStatic
    fun toListByHand(batch: RecordBatch): List<Trade> {
        val id = batch.values<Long>("id").requireNoNulls()
        val account = batch.values<Long>("account").requireNoNulls()
        val quantity = batch.values<Int>("quantity").requireNoNulls()
        val venue = batch.values<Int>("venue")
        val price = batch.values<Double>("price").requireNoNulls()
        val fee = batch.values<Double>("fee").requireNoNulls()
        val open = batch.values<Boolean>("open").requireNoNulls()
        val side = batch.values<Boolean>("side").requireNoNulls()
        val symbol = batch.values<String>("symbol").requireNoNulls()
        val note = batch.values<String>("note")
        return List(batch.rowCount.toInt()) { i ->
            Trade(
                id[i],
                account[i],
                quantity[i],
                venue[i],
                price[i],
                fee[i],
                open[i],
                side[i],
                symbol[i],
                note[i],
            )
        }
    }
}
