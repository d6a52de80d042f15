package dev.arrowdevice.samples

import dev.arrowdevice.testkit.SimulatedDriver
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith

/** The lines of the sample's output, when it finds NVIDIA's driver at a path. */
private fun listed(driver: String): List<String> =
    SampleProcess(
        "DevicesMain",
        options =
            listOf(
                "-Ddev.arrowdevice.cuda.library=$driver",
                "-Ddev.arrowdevice.cuda.nvrtc=/nowhere/libnvrtc.so.12",
            ),
    ).use { sample ->
        val (code, lines) = sample.await()
        withClue(sample.errors()) { code shouldBe 0 }
        lines
    }

class DeviceListTest :
    FunSpec({
        test("without a GPU the list has the CPU, and for each kind of GPU the reason why it is missing") {
            val lines = listed("/nowhere/libcuda.so.1")
            val cpu = lines.tableOf("device").first()
            cpu.take(2) shouldBe listOf("CPU", "true")
            cpu.last() shouldContain "Java"
            lines.single { it.startsWith("no CUDA: ") } shouldContain "/nowhere/libcuda.so.1"
            lines.single { it.startsWith("no NVRTC: ") } shouldContain "/nowhere/libnvrtc.so.12"
        }

        test("a GPU is listed with its memory, its driver and the devices that it can access, for each memory kind") {
            val lines = listed("${SimulatedDriver.build(SimulatedDriver.Library.CUDA, emptySet())}")
            val gpus = lines.tableOf("device").filter { it[0].startsWith("CUDA") }
            gpus.map { it[0] } shouldBe
                listOf("CUDA:0", "CUDA_HOST:0", "CUDA_MANAGED:0", "CUDA:1", "CUDA_HOST:1", "CUDA_MANAGED:1")
            gpus.map { it[1] } shouldBe List(2) { listOf("false", "true", "true") }.flatten()
            for (gpu in gpus) {
                gpu[2] shouldBe "1.0"
                gpu[3] shouldBe "1.0"
                gpu[4] shouldStartWith "[CPU, CUDA"
                gpu[5] shouldContain "driver of CUDA 12.4"
            }
            lines.filter { it.startsWith("no CUDA") } shouldHaveSize 0
        }

        test("a GPU whose memory can't be read is listed, with the failure below the table") {
            val driver = SimulatedDriver.load(SimulatedDriver.Library.CUDA)
            driver.failNext("cuMemGetInfo", ILLEGAL_ADDRESS)
            val lines = printed(::listDevices)
            lines.tableOf("device").map { it[0] } shouldContain "CUDA:0"
            lines.tableOf("device").count { it[0].startsWith("CUDA") && it[2] == "null" } shouldBe 1
            lines.single { it.startsWith("CUDA:0 fails: ") } shouldContain "cuMemGetInfo"
        }
    })

private const val ILLEGAL_ADDRESS = 700
