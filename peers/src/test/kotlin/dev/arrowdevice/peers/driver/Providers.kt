package dev.arrowdevice.peers.driver

import dev.arrowdevice.Device
import dev.arrowdevice.spi.CpuRuntime
import dev.arrowdevice.spi.DeviceProvider
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.DeviceUnavailableException
import dev.arrowdevice.spi.Devices
import java.util.concurrent.Callable
import java.util.concurrent.CountDownLatch
import kotlin.concurrent.thread

private val found = Device(99, 1)

/** Providers of devices, good and bad. Each test's class loader names some of them. */
class WorkingProvider : DeviceProvider {
    override fun name(): String = "WORKING"

    override fun runtimes(): List<DeviceRuntime> =
        listOf(
            object : DeviceRuntime by CpuRuntime.INSTANCE {
                override fun getDevice(): Device = found
            },
        )
}

class AbsentProvider : DeviceProvider {
    override fun name(): String = "ABSENT"

    override fun runtimes(): List<DeviceRuntime> = throw DeviceUnavailableException("there is no driver; install one")
}

class UnlinkedProvider : DeviceProvider {
    override fun name(): String = "UNLINKED"

    override fun runtimes(): List<DeviceRuntime> = throw UnsatisfiedLinkError("no libabsent.so")
}

class BrokenProvider : DeviceProvider {
    init {
        error("it can't even be made")
    }

    override fun name(): String = "BROKEN"

    override fun runtimes(): List<DeviceRuntime> = listOf()
}

/** Looks for devices itself, and takes its time. */
class SlowProvider : DeviceProvider {
    override fun name(): String = "SLOW"

    override fun runtimes(): List<DeviceRuntime> {
        Devices.find(Device(99, 2))
        entered.countDown()
        goOn.await()
        return WorkingProvider().runtimes()
    }

    companion object {
        val entered = CountDownLatch(1)
        val goOn = CountDownLatch(1)
    }
}

/** The result of {@link Devices#discover} as text, because it runs with classes of its own. */
class Discover : Callable<List<String>> {
    override fun call(): List<String> =
        Devices.discover().map {
            "${it.provider().substringAfterLast('.')} ${it.runtimes().map { one ->
                one.device
            }} ${it.reason()?.message}"
        } +
            Devices.list().toString()
}

/** The message of a search in vain. */
class FindInVain : Callable<List<String>> {
    override fun call(): List<String> =
        listOf(runCatching { Devices.runtime(Device(99, 3)) }.exceptionOrNull()!!.message!!)
}

/** A device that one thread looks for while another one discovers. */
class FindDuringDiscovery : Callable<List<String>> {
    override fun call(): List<String> {
        val answers = arrayOfNulls<Device>(2)
        val first = thread { answers[0] = Devices.find(found)?.device }
        SlowProvider.entered.await()
        val second = thread { answers[1] = Devices.find(found)?.device }
        while (second.state != Thread.State.BLOCKED && second.isAlive) Thread.onSpinWait()
        SlowProvider.goOn.countDown()
        first.join()
        second.join()
        return answers.map { it.toString() }
    }
}
