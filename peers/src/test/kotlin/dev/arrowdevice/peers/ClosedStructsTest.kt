package dev.arrowdevice.peers

import dev.arrowdevice.CStruct
import dev.arrowdevice.importArray
import dev.arrowdevice.importBatch
import dev.arrowdevice.importDeviceArray
import dev.arrowdevice.importStream
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec

class ClosedStructsTest :
    FunSpec({
        extension(PeerBalance)

        test("every import refuses a closed struct, such as one used after its block") {
            val array = CStruct.array().also { it.close() }
            val deviceArray = CStruct.deviceArray().also { it.close() }
            val schema = CStruct.schema().also { it.close() }
            val stream = CStruct.arrayStream().also { it.close() }
            listOf<() -> Any>(
                { importArray(array, schema) },
                { importBatch(array, schema) },
                { importDeviceArray(deviceArray, schema) },
                { importStream(stream) },
                { CStruct.schema().use { importArray(array, it) } },
                { CStruct.array().use { importArray(it, schema) } },
            ).forEach { shouldThrow<IllegalStateException>(it) }
        }
    })
