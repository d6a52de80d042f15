package dev.arrowdevice.samples.gpu

import dev.arrowdevice.cuda.Nvrtc
import dev.arrowdevice.samples.gpu.FareKernel.Companion.HOURS_OF_A_DAY
import dev.arrowdevice.spi.DeviceUnavailableException
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.core.test.TestCase
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemorySegment
import java.lang.foreign.SymbolLookup
import java.lang.foreign.ValueLayout.ADDRESS
import java.lang.foreign.ValueLayout.JAVA_BYTE
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.nio.file.Path
import kotlin.io.path.writeText
import kotlin.random.Random

/** Tests of the CUDA kernel that need no GPU: it compiles, and it computes the right result. */
class CudaKernelTest :
    FunSpec({
        test("NVRTC compiles the kernel to machine code, or to PTX for a GPU that it does not know").config(
            enabledOrReasonIf = ifInstalled,
        ) {
            for (capability in KernelCompiler.supported()) {
                val code = KernelCompiler.compile(CudaFareKernel.SOURCE, "fares.cu", capability)
                code.take(4) shouldBe "\u007fELF".map { it.code.toByte() }
                String(code, Charsets.ISO_8859_1) shouldContain ".text.fares"
            }
            val ptx = String(KernelCompiler.compile(CudaFareKernel.SOURCE, "fares.cu", 999))
            ptx shouldContain ".entry fares("
            ptx.indexOf('\u0000') shouldBe ptx.length - 1
        }

        test("a kernel that does not compile throws the compiler's output").config(enabledOrReasonIf = ifInstalled) {
            val failure = shouldThrow<IllegalArgumentException> { KernelCompiler.compile("no C", "wrong.cu", 90) }
            failure.message shouldContain "wrong.cu for sm_90"
            failure.message shouldContain "wrong.cu(1): error"
        }

        test("the kernel, compiled as C with a thread for each block, computes the right sums") {
            val random = Random(7)
            val rows = 10_000
            val seconds = IntArray(rows) { random.nextInt(86_400) }
            val metres = IntArray(rows) { random.nextInt(20_000) }
            val tips = IntArray(rows) { random.nextInt(500) }
            val valid = ByteArray(rows / 8 + 2).also(random::nextBytes)
            for ((firstTip, bits) in listOf(0 to null, 0 to valid, 5 to valid)) {
                val cents = LongArray(HOURS_OF_A_DAY)
                for (row in 0 until rows) {
                    val bit = firstTip + row
                    val tipped = bits == null || bits[bit / 8].toInt() shr bit % 8 and 1 == 1
                    val hour = seconds[row] / 3600
                    cents[hour] += 350L + metres[row] * (if (hour < 6) 3 else 2) / 10 + if (tipped) tips[row] else 0
                }
                val trips = LongArray(HOURS_OF_A_DAY) { hour -> seconds.count { it / 3600 == hour }.toLong() }
                OnHost(tempdir().toPath()).run(seconds, metres, tips, bits, firstTip) shouldBe
                    listOf(trips.toList(), cents.toList())
            }
        }
    })

private val ifInstalled: (TestCase) -> Enabled = {
    try {
        Nvrtc.load()
        Enabled.enabled
    } catch (e: DeviceUnavailableException) {
        Enabled.disabled(e.message.toString())
    }
}

/** The kernel's source as a C function: blocks one after the other, of one thread, for which CUDA's words are defined. */
private class OnHost(
    directory: Path,
) {
    private val library = directory.resolve("fares.so")

    init {
        val source = directory.resolve("fares.c")
        source.writeText(PRELUDE + CudaFareKernel.SOURCE.replace("extern \"C\"", "") + BLOCKS)
        val gcc =
            ProcessBuilder("gcc", "-std=gnu11", "-Wall", "-Werror", "-shared", "-fPIC", "-o", "$library", "$source")
                .redirectErrorStream(true)
                .start()
        val output = gcc.inputStream.bufferedReader().readText()
        withClue(output) { gcc.waitFor() shouldBe 0 }
    }

    fun run(
        seconds: IntArray,
        metres: IntArray,
        tips: IntArray,
        valid: ByteArray?,
        firstTip: Int,
    ): List<List<Long>> =
        Arena.ofConfined().use { arena ->
            val sums = List(2) { arena.allocate(JAVA_LONG, HOURS_OF_A_DAY.toLong()) }
            val function = SymbolLookup.libraryLookup(library, arena).find("all_blocks").get()
            val (ints, longs) = JAVA_INT to JAVA_LONG
            val types = arrayOf(ADDRESS, ADDRESS, ADDRESS, ADDRESS, longs, longs, ADDRESS, ADDRESS)
            Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.ofVoid(*types)).invokeWithArguments(
                arena.allocateFrom(ints, *seconds),
                arena.allocateFrom(ints, *metres),
                arena.allocateFrom(ints, *tips),
                if (valid == null) MemorySegment.NULL else arena.allocateFrom(JAVA_BYTE, *valid),
                firstTip.toLong(),
                seconds.size.toLong(),
                sums[0],
                sums[1],
            )
            sums.map { it.toArray(longs).toList() }
        }

    private companion object {
        const val PRELUDE = """
            #define __global__ static
            #define __shared__ static
            #define __syncthreads()
            #define atomicAdd(sum, value) (*(sum) += (value))
            struct { int x; } threadIdx, blockIdx, blockDim = {1}, gridDim = {7};
        """

        const val BLOCKS = """
            void all_blocks(const int* second, const int* metres, const int* tip, const unsigned char* tip_valid,
                            long long first_tip, long long rows, unsigned long long* trips, unsigned long long* cents) {
                for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
                    fares(second, metres, tip, tip_valid, first_tip, rows, trips, cents);
            }
        """
    }
}
