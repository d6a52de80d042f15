package dev.arrowdevice.cuda

import dev.arrowdevice.Device
import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.contract.ArrayContract
import dev.arrowdevice.testkit.contract.DeviceContract
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeGreaterThan

/** The contract of all devices, kept by each kind of memory of CUDA; on the simulated driver its mistakes are counted too. */
class CudaContractTest :
    FunSpec({
        for (kind in MemoryKind.values()) {
            val device = Device(deviceType(kind), 0)
            context("$device as found by Devices") {
                val cases = DeviceContract.cases { FoundSubject(device, kind) }
                (cases + ArrayContract.cases { FoundSubject(device, kind) }).forEach { case ->
                    test(case.name()).config(enabledOrReasonIf = {
                        case.skipped()?.let(Enabled::disabled)
                            ?: Enabled.enabled
                    }) {
                        balanced { case.run() }
                    }
                }
            }
            context("$device as opened") {
                val found =
                    DeviceContract
                        .cases {
                            FoundSubject(
                                device,
                                kind,
                            )
                        }.filter { it.skipped() != null }
                        .map { it.name() }
                val closing =
                    DeviceContract.cases { OpenedSubject(kind) }.filter {
                        it.name() in found &&
                            it.skipped() == null
                    }
                closing.size shouldBeGreaterThan 1
                closing.forEach { case ->
                    test(case.name()) { balanced { case.run() } }
                }
            }
        }
    })
