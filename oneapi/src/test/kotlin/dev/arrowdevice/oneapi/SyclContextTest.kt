package dev.arrowdevice.oneapi

import dev.arrowdevice.Device
import dev.arrowdevice.DeviceType
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.interop.SyclObject
import dev.arrowdevice.interop.SyclUsmArrayInterface
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.MemoryKind
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.SymbolLookup
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG

private val options = ImportOptions.on(Device(DeviceType.ONEAPI, 0))

/** Runs a test with a queue in a context of one compute unit, which knows no memory of the whole device's. */
private fun RealSycl.withPart(test: (queue: Long, context: Long) -> Unit) {
    val linker = Linker.nativeLinker()
    val dpctl = SymbolLookup.libraryLookup(checkNotNull(file), Arena.global())
    val api = library.api
    val divide =
        linker.downcallHandle(
            dpctl.find("DPCTLDevice_CreateSubDevicesEqually").get(),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG),
        )
    val makeContext =
        linker.downcallHandle(
            dpctl.find("DPCTLContext_Create").get(),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT),
        )
    val parts = divide.invokeWithArguments(devices.reference(0), 1L) as Long
    val part = api.DPCTLDeviceVector_GetAt(parts, 0L)
    val context = makeContext.invokeWithArguments(part, 0L, 0) as Long
    val queue = api.DPCTLQueue_Create(context, part, SyclCalls.HANDLER, 0)
    try {
        test(queue, context)
    } finally {
        api.DPCTLQueue_Delete(queue)
        api.DPCTLContext_Delete(context)
        api.DPCTLDevice_Delete(part)
        api.DPCTLDeviceVector_Delete(parts)
    }
}

private fun face(
    address: Long,
    syclobj: Any,
    vararg more: Pair<String, Any?>,
) = SyclUsmArrayInterface.fromMap(
    mapOf(
        "shape" to listOf(2),
        "typestr" to "<i4",
        "data" to listOf(address, false),
        "version" to 1,
        "syclobj" to syclobj,
    ) + more,
)

private fun SyclUsmArrayInterface.refusal(): String {
    var closed = 0
    val message = shouldThrow<IllegalArgumentException> { importArray({ closed++ }, options) }.message.orEmpty()
    closed shouldBe 1
    return message
}

/** "syclobj: a Python object indicating context to which USM pointer is bound", by the real runtime. */
class SyclContextTest :
    FunSpec({
        onRealSycl("a pointer is imported with each form of its context") {
            for (kind in MemoryKind.entries) {
                open(kind) { runtime ->
                    Devices.register(runtime)
                    runtime.allocate(8).lend { buffer ->
                        val forms =
                            listOf("cpu", "opencl:cpu", "opencl:cpu:0", "0")
                                .map { SyclObject.filter(it) } +
                                SyclObject.queue(runtime.defaultQueue.handle) +
                                SyclObject.context(driver.context())
                        for (form in forms) {
                            var closed = 0
                            face(buffer.address, form).importArray({ closed++ }, options).close()
                            closed shouldBe 1
                        }
                    }
                }
            }
        }

        onRealSycl(
            "a context that the pointer does not belong to is refused, itself or a queue's, and the owner closed once",
        ) {
            withPart { queue, context ->
                for (kind in MemoryKind.entries) {
                    open(kind) { runtime ->
                        Devices.register(runtime)
                        runtime.allocate(8).lend { buffer ->
                            for (other in listOf(SyclObject.queue(queue), SyclObject.context(context))) {
                                face(buffer.address, other).refusal() shouldContain
                                    "the pointer 0x${buffer.address.toString(
                                        16,
                                    )} is not bound to the context of syclobj"
                            }
                        }
                    }
                }
            }
        }

        onRealSycl("memory of another context is refused, even with the context that it belongs to") {
            withPart { queue, context ->
                open { runtime ->
                    Devices.register(runtime)
                    val api = library.api
                    val address = api.DPCTLaligned_alloc_device(64L, 64L, queue)
                    runtime.whyNotBoundToQueue(address, queue) shouldBe null
                    runtime.whyNotBoundToContext(address, context) shouldBe null
                    for (own in listOf(SyclObject.queue(queue), SyclObject.context(context))) {
                        face(address, own).refusal() shouldContain
                            "is no memory of ONEAPI:0 in the context of its runtime"
                    }
                    runtime.whyNotBoundToDevice(address, "cpu") shouldBe
                        "the pointer 0x${address.toString(16)} is not bound to the context of syclobj, " +
                        "the filter selector string \"cpu\""
                    api.DPCTLfree_with_context(address, context)
                }
            }
        }

        onRealSycl("an invalid filter string, or one that names no device, is refused") {
            open { runtime ->
                Devices.register(runtime)
                runtime.allocate(8).lend { buffer ->
                    for (selector in listOf(
                        "level_zero:gpu:99",
                        "cpu:99",
                        "opencl:gpu",
                        "rubbish",
                        "opencl:cpu:0:1",
                        "-1",
                        "cpü",
                    )) {
                        face(buffer.address, selector).refusal() shouldBe
                            "syclobj: the filter selector string \"$selector\" names no device"
                    }
                }
            }
        }

        onRealSycl("a capsule's pointer where no object can be is refused, and not dereferenced") {
            open { runtime ->
                Devices.register(runtime)
                runtime.allocate(8).lend { buffer ->
                    for (name in listOf(SyclObject.QUEUE, SyclObject.CONTEXT)) {
                        for (pointer in listOf(12345L, 8L, -8L, Long.MIN_VALUE)) {
                            face(buffer.address, SyclObject(name, pointer)).refusal() shouldContain
                                "there is no object of SYCL at the pointer 0x${pointer.toULong().toString(16)} of $name"
                        }
                    }
                }
            }
        }

        onRealSycl("only the first byte is checked, and nothing if there are no elements") {
            open { runtime ->
                Devices.register(runtime)
                runtime.allocate(8).lend { buffer ->
                    face(buffer.address + 8, "cpu", "offset" to -2).importArray({}, options).close()
                    face(buffer.address, "rubbish", "shape" to listOf(0)).importArray({}, options).close()
                }
            }
        }
    })
