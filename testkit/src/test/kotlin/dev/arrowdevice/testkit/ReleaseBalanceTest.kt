package dev.arrowdevice.testkit

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CArrayStruct
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.deviceArrayOf
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import java.util.concurrent.CountDownLatch
import java.util.function.Supplier
import kotlin.concurrent.thread

private fun array(): DeviceArray = deviceArrayOf(1, 2, 3).use { it.copyTo(Device.CPU) }

/** An array of ours, exported and imported again. */
private fun imported(struct: CArrayStruct): DeviceArray {
    val array = array()
    val type = array.type
    ArrowExport.exportArray(array, struct)
    return ArrowImport.importArray(struct, type)
}

/** The balance reports each thing that can be outstanding. This test reads the report without the wait. */
class ReleaseBalanceTest :
    FunSpec({
        test("nothing outstanding, nothing reported") {
            ReleaseBalance.start().use {
                CStruct.array().use { imported(it).close() }
            }
        }

        test("an import that is not closed") {
            val balance = ReleaseBalance.start()
            val array = CStruct.array().use(::imported)
            balance.outstanding().shouldContainExactly(
                "1 buffers of the SDK are still allocated",
                "64 bytes of the SDK are still allocated",
                "1 exports have not been released",
                "1 imports have not been closed",
            )
            array.close()
            balance.verify()
        }

        test("an export that is not released, and its memory") {
            val balance = ReleaseBalance.start()
            CStruct.array().use { struct ->
                ArrowExport.exportArray(array(), struct)
                balance.outstanding().shouldContainExactly(
                    "1 buffers of the SDK are still allocated",
                    "64 bytes of the SDK are still allocated",
                    "1 exports have not been released",
                )
            }
            balance.verify()
        }

        test("what a foreign library counts") {
            val held = mutableListOf("one", "two")
            val library =
                Counted {
                    val before = held.toSet()
                    Supplier { held.filterNot { it in before }.map { "$it is still held" } }
                }
            val balance = ReleaseBalance.start(library)
            held += "three"
            balance.outstanding().shouldContainExactly("three is still held")
            held -= "three"
            balance.verify()
        }

        test("verify throws after a wait if the balance is off, and lists what is outstanding") {
            val balance = ReleaseBalance.start()
            array().use {
                shouldThrow<AssertionError> { balance.close() }.message shouldBe
                    "not released: " + balance.outstanding().joinToString("; ")
            }
            balance.unbalanced().shouldBeEmpty()
        }

        test("a thread that does not end") {
            val balance = ReleaseBalance.start()
            val end = CountDownLatch(1)
            val straggler = thread(name = "straggler") { end.await() }
            balance.outstanding() shouldBe listOf("the thread straggler still runs")
            end.countDown()
            straggler.join()
            balance.verify()
        }
    })
