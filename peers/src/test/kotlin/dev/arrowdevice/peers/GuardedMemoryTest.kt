package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CStruct
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path

/** With guarded memory, a fault that reads plausible values elsewhere ends the process, and the reports say where. */
class GuardedMemoryTest :
    FunSpec({
        test("a program without a fault ends as it does elsewhere") {
            val outcome = GuardedMemory.run(GuardedFaults::class.java, "NONE")
            withClue(outcome.output) { outcome.exitCode shouldBe 0 }
            outcome.output.trim() shouldBe "[11,48,85]"
        }

        context("a fault ends the process:") {
            withData(nameFn = { it.sentence }, GuardedFault.entries - GuardedFault.NONE) { fault ->
                val outcome = GuardedMemory.run(GuardedFaults::class.java, fault.name)
                withClue(outcome.output) {
                    outcome.exitCode shouldNotBe 0
                    outcome.output shouldContain Regex("guarded heap: .*${fault.report}")
                    // The report of the JVM has the same address, and the line of the program.
                    val address = Regex("guarded heap: 0x([0-9a-f]+) is").find(outcome.output)!!.groupValues[1]
                    if (!fault.isFoundByFree) outcome.crash shouldContain Regex("si_addr: 0x0*$address")
                    outcome.crash shouldContain "GuardedFaults.main"
                }
            }
        }

        test("in this mode the memory of the SDK and of the C peer ends at a page that can't be read").config(
            enabled = GuardedMemory.isOn,
        ) {
            val peer = CPeer.load()
            val blocks = listOf(NativeMemory.allocate(64), peer.heap.allocate(64))
            blocks.map { "%x-".format(it + 64) }.forEach { behind ->
                Files
                    .readAllLines(Path.of("/proc/self/maps"))
                    .single { it.startsWith(behind) }
                    .split(' ')[1] shouldBe "---p"
            }
            NativeMemory.free(blocks[0])
            peer.heap.free(blocks[1])
        }
    })

/** What [GuardedFaults] does wrong, and what is said of it. */
enum class GuardedFault(
    val sentence: String,
    val report: String,
    val isFoundByFree: Boolean = false,
) {
    NONE("", ""),
    READ_BEHIND("a read one byte behind a buffer of an imported array", "is 0 bytes behind the end of block"),
    STRUCT_AFTER_RELEASE("a use of an exported struct's memory after its release", "which was freed"),
    VALUES_AFTER_RELEASE("a use of exported values after their release", "which was freed"),
    ROOT_BEFORE_CHILD("freeing an exported root before its moved child", "which was freed"),
    FREED_TWICE("freeing twice", "free of a block that was freed before", true),
    WRITTEN_BEHIND("writing behind a block, where it ends before the page", "somebody has written beside", true),
}

/** A program with one fault. */
object GuardedFaults {
    @JvmStatic
    fun main(arguments: Array<String>) {
        withStructs { make(GuardedFault.valueOf(arguments.single())) }
    }

    private fun Structs.make(fault: GuardedFault) {
        when (fault) {
            GuardedFault.NONE -> {
                imported(Fields.int32, PeerOptions.rows(3)).use { println(it.canonical()) }
            }

            GuardedFault.READ_BEHIND -> {
                val schema = produceSchema(PeerField.of("x", "c"))
                val array = produceArray(schema, PeerOptions.rows(8))
                array.length(9) // a lie that no validation can see
                ArrowImport
                    .importArray(CStruct.arrayAt(array.address), CStruct.schemaAt(schema.address), Validation.FULL)
                    .use { println(it.getByte(8)) }
            }

            GuardedFault.STRUCT_AFTER_RELEASE -> {
                val child = exported().let { root -> root.child(0).also { peer.releaseArray(root.address) } }
                println(child.length())
            }

            GuardedFault.VALUES_AFTER_RELEASE -> {
                val values = exported().let { root -> root.child(0).buffer(1).also { peer.releaseArray(root.address) } }
                println(NativeMemory.getInt(values))
            }

            GuardedFault.ROOT_BEFORE_CHILD -> {
                val root = exported()
                val child = ArrayStruct(array())
                peer.moveArray(root.child(0).address, child.address)
                NativeMemory.free(root.buffers()) // where the memory of all structs of the tree begins
                println(peer.renderArray(produceSchema(Fields.int32).address, child.address))
            }

            GuardedFault.FREED_TWICE -> {
                val block = NativeMemory.allocate(100)
                NativeMemory.free(block)
                NativeMemory.free(block)
            }

            GuardedFault.WRITTEN_BEHIND -> {
                val block = NativeMemory.allocate(20)
                NativeMemory.putByte(block + 20, 0)
                NativeMemory.free(block)
            }
        }
    }

    private fun Structs.exported(): ArrayStruct {
        val root = ArrayStruct(array())
        ArrowExport.exportArray(own(Fields.struct, PeerOptions.rows(5)), CStruct.arrayAt(root.address))
        return root
    }
}
