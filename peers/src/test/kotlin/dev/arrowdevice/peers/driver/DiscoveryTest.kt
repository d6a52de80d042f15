package dev.arrowdevice.peers.driver

import dev.arrowdevice.spi.DeviceProvider
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.File
import java.net.URLClassLoader
import java.util.concurrent.Callable
import kotlin.reflect.KClass

class DiscoveryTest :
    FunSpec({
        val folder = tempdir()

        /** Runs a probe with classes, and so with a registry, of its own, where there are these providers. */
        fun probe(
            probe: KClass<out Callable<List<String>>>,
            vararg providers: String,
        ): List<String> {
            val services = File(folder, "${System.nanoTime()}/META-INF/services").also { it.mkdirs() }
            File(services, DeviceProvider::class.java.name).writeText(providers.joinToString("\n"))
            val path = System.getProperty("java.class.path").split(File.pathSeparator).map { File(it).toURI().toURL() }
            val roots =
                listOf(
                    services.parentFile.parentFile
                        .toURI()
                        .toURL(),
                ) + path
            return URLClassLoader(roots.toTypedArray(), ClassLoader.getPlatformClassLoader()).use { loader ->
                val instance = loader.loadClass(probe.java.name).getDeclaredConstructor().newInstance()
                ((instance as Callable<*>).call() as List<*>).map { it as String }
            }
        }

        test("without providers the CPU is the only device") {
            probe(Discover::class) shouldContainExactly listOf("[CPU]")
        }

        test("discovery finds devices, and reasons why some are missing") {
            probe(
                Discover::class,
                AbsentProvider::class.java.name,
                WorkingProvider::class.java.name,
            ) shouldContainExactly
                listOf(
                    "ABSENT [] there is no driver; install one",
                    "WORKING [DEVICE_99:1] null",
                    "[CPU, DEVICE_99:1]",
                )
        }

        test("a broken provider is a reason too, and does not hide others") {
            val said =
                probe(
                    Discover::class,
                    BrokenProvider::class.java.name,
                    UnlinkedProvider::class.java.name,
                    "dev.arrowdevice.NoSuchProvider",
                    WorkingProvider::class.java.name,
                )
            said shouldHaveSize 5
            said[0] shouldContain "BrokenProvider could not be instantiated"
            said[1] shouldBe "UNLINKED [] the provider of devices is broken: no libabsent.so"
            said[2] shouldContain "NoSuchProvider not found"
            said[3] shouldBe "WORKING [DEVICE_99:1] null"
        }

        test("the error for a missing device lists the devices and the reasons") {
            val (message) = probe(FindInVain::class, WorkingProvider::class.java.name, AbsentProvider::class.java.name)
            message shouldBe
                "no runtime is registered for DEVICE_99:3; registered: [CPU, DEVICE_99:1]; " +
                "no ABSENT: there is no driver; install one"
        }

        test("a thread that searches while another one discovers waits for its result") {
            probe(FindDuringDiscovery::class, SlowProvider::class.java.name) shouldContainExactly
                listOf("DEVICE_99:1", "DEVICE_99:1")
        }
    })
