package dev.arrowdevice.peers.device

import dev.arrowdevice.Device
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.deviceArray
import dev.arrowdevice.recordBatch
import dev.arrowdevice.testkit.device.Kernel
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.readLines

/** The examples of docs/devices.md are the lines of these tests. */
class DevicesDocTest :
    FunSpec({
        test("to the device and back") {
            withGpu {
                val samples = listOf(1.5f, 2.5f)
                val batch = recordBatch { column<Double>("price") { add(9.5) } }
                val queue = runtime().createQueue()
                val gpu = runtime()
                val built = deviceArray<Float>(device = gpu) { addAll(samples) }
                val there = batch.copyToAsync(gpu, queue)
                batch.close()
                val back = there.copyToAsync(Device.CPU, queue)
                there.close()
                val price = back.use { it.column("price").getDouble(0) }
                price shouldBe 9.5
                built.copyTo(Device.CPU).use { it.getFloat(1) shouldBe 2.5f }
                built.close()
                queue.close()
            }
        }

        test("a kernel of your own") {
            withGpu {
                val queue = runtime().createQueue()
                val array = deviceArray<Float>(device = runtime()) { addAll(listOf(1f)) }
                val kernel = Kernel { (values) -> values.putFloat(0, 2f) }
                array.awaitAsync(queue)
                launch(queue, listOf(array.data.buffer(1)!!), kernel)
                array.closeAsync(queue)
                queue.synchronize()
                queue.close()
            }
        }

        test("the document shows these lines") {
            val here = Path.of("").toAbsolutePath()
            val root = generateSequence(here) { it.parent }.first { Files.exists(it.resolve("docs")) }
            val source = "peers/src/test/kotlin/dev/arrowdevice/peers/device/DevicesDocTest.kt"
            val lines =
                root
                    .resolve(source)
                    .readLines()
                    .map { it.trim() }
                    .toSet()
            val shown = mutableListOf<String>()
            var inside = false
            for (line in root.resolve("docs/devices.md").readLines()) {
                if (line.startsWith("```")) {
                    inside = line == "```kotlin"
                } else if (inside) {
                    shown += line
                }
            }
            shown.map { it.substringBefore("//").trim() }.filterNot { it in lines }.shouldBeEmpty()
            shown.size shouldBe 9
        }
    })
