package dev.arrowdevice.dataframe

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.ArrayData
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.OwnedArrays
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import org.jetbrains.kotlinx.dataframe.DataFrame
import org.jetbrains.kotlinx.dataframe.DataRow
import org.jetbrains.kotlinx.dataframe.api.filter
import org.jetbrains.kotlinx.dataframe.api.print
import org.jetbrains.kotlinx.dataframe.api.rename
import org.jetbrains.kotlinx.dataframe.api.schema
import org.jetbrains.kotlinx.dataframe.api.select
import org.jetbrains.kotlinx.dataframe.api.sum
import kotlin.reflect.typeOf

internal fun people(): RecordBatch =
    recordBatch {
        column<String>("name") { addAll(listOf("Ada", "Alan", null, "Grace")) }
        column<Int>("age") { addAll(listOf(36, 41, null, 85)) }
        struct("home") {
            column<String>("city") { addAll(listOf("London", "Wilmslow", null, "New York")) }
        }
        list<Int>("marks") {
            add(listOf(1, null))
            addNull()
            add(listOf())
            add(listOf(3))
        }
        listOfStructs("items", { field<String>("sku") }) {
            add(listOf(mapOf("sku" to "a"), mapOf("sku" to "b")))
            addNull()
            add(listOf())
            add(listOf(mapOf("sku" to null)))
        }
    }

/** A frame over the memory of a batch, and how long it lasts. */
class LendingTest :
    FunSpec({
        extension(Balance)

        test("columns have the types of their values") {
            people().use { batch ->
                batch.toDataFrame().use { lent ->
                    val frame = lent.frame
                    frame["name"].type() shouldBe typeOf<String?>()
                    frame["age"].type() shouldBe typeOf<Int?>()
                    frame["marks"].type() shouldBe typeOf<List<Int?>?>()
                    (frame["home"][1] as DataRow<*>)["city"] shouldBe "Wilmslow"
                    (frame["items"][0] as DataFrame<*>)["sku"].toList() shouldBe listOf("a", "b")
                    (frame["items"][1] as DataFrame<*>).rowsCount() shouldBe 0
                    frame.schema().toString() shouldContain "items: *"
                    frame.filter { "age"<Int?>()?.let { it > 40 } == true }["name"].toList() shouldBe
                        listOf("Alan", "Grace")
                    frame.sum("age") shouldBe 162
                    frame.print()
                }
            }
        }

        test("no value is read or copied up front: a later write is seen") {
            val memory = CpuRuntime.INSTANCE.allocate(16)
            val data =
                ArrayData(ArrowType.INT32, Device.CPU, 4, 0, 0, arrayOf(null, memory), arrayOf(), null)
            val schema = Schema.of(Field.notNull("id", ArrowType.INT32))
            RecordBatch.of(schema, listOf(OwnedArrays.of(data, memory.owner))).use { batch ->
                val before = ArrowCounters.now()
                batch.toDataFrame().use { lent ->
                    val frame = lent.frame.rename("id" to "number").select("number")
                    val rows = frame[1..2]
                    (ArrowCounters.now() - before).hostBytes() shouldBe 0
                    memory.memory().put(0, ByteArray(16) { 1 }, 0, 16)
                    frame["number"].toList() shouldBe List(4) { 0x01010101 }
                    rows["number"].toList() shouldBe List(2) { 0x01010101 }
                }
            }
        }

        test("a frame outlives its batch, and the batch its frame") {
            val batch = people()
            batch.toDataFrame().close()
            batch.column("age").getInt(1) shouldBe 41
            batch.toDataFrame().use { lent ->
                batch.close()
                lent.isLive shouldBe true
                lent.frame["name"][3] shouldBe "Grace"
            }
        }

        test("after close every read fails as one of the closed batch does; what was computed stays") {
            val batch = people()
            val lent = batch.toDataFrame()
            val frame = lent.frame
            val older = frame.filter { (it["age"] as Int? ?: 0) > 40 }
            val parts =
                listOf(
                    { frame["name"][0] },
                    { frame["name"].toList().last() },
                    { frame[1]["age"] },
                    { frame[1..2]["age"].toList().last() },
                    { frame.rename("age" to "years")["years"][0] },
                    { (frame["home"][1] as DataRow<*>)["city"] },
                    { frame["marks"][0] },
                    { frame["items"][0] },
                    { frame.toRecordBatch() },
                )
            val items = frame["items"][0] as DataFrame<*>
            lent.close()
            lent.close()
            lent.isLive shouldBe false
            lent.toString() shouldContain "closed"
            batch.column("name").getString(0) shouldBe "Ada"
            batch.close()
            val said = shouldThrow<IllegalStateException> { batch.column("name").getString(0) }.message
            said shouldContain "closed"
            for (part in parts) shouldThrow<IllegalStateException>(part).message shouldContain "closed"
            shouldThrow<IllegalStateException> { items["sku"][0] }.message shouldContain "closed"
            older["name"].toList() shouldBe listOf("Alan", "Grace")
            shouldThrow<IllegalStateException> { batch.toDataFrame() }
        }

        test("fields of one name are refused, and nothing is kept") {
            val int = Field.notNull("a", ArrowType.INT32)
            for (schema in listOf(Schema.of(int, int), Schema.of(Field.notNull("s", ArrowType.struct(int, int))))) {
                RecordBatch.of(schema, schema.fields.map { dev.arrowdevice.deviceArray(it.type) { } }).use { batch ->
                    val said = shouldThrow<IllegalArgumentException> { batch.toDataFrame() }.message
                    said shouldContain "2 fields named \"a\""
                }
            }
        }
    })
