package dev.arrowdevice.arrowjava

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.apache.arrow.memory.BufferAllocator
import org.apache.arrow.memory.RootAllocator

/** The bridge in a JVM of its own, started without a flag. */
class NoFlagsTest :
    FunSpec({
        test("batches are exchanged in both directions without a flag of the JVM") {
            val java =
                ProcessHandle
                    .current()
                    .info()
                    .command()
                    .get()
            val process =
                ProcessBuilder(
                    java,
                    "-Darrow.allocation.manager.type=Unsafe",
                    "-cp",
                    System.getProperty("java.class.path"),
                    NoFlags::class.java.name,
                ).redirectErrorStream(true).start()
            val output = process.inputStream.bufferedReader().use { it.readText() }
            withClue(output) {
                process.waitFor() shouldBe 0
                output shouldContain "both directions: true"
                output shouldNotContain "Exception"
            }
        }
    })

internal object NoFlags {
    @JvmStatic
    fun main(arguments: Array<String>) {
        RootAllocator().use { println("both directions: ${thereAndBack(it)}") }
    }

    private fun thereAndBack(allocator: BufferAllocator): Boolean =
        people(1, 100).use { batch ->
            batch.toVectorSchemaRoot(allocator).use { root ->
                root.toRecordBatch().use { read(it) == read(batch) && read(root) == read(batch) }
            }
        }
}
