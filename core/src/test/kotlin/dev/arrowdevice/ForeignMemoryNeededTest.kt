package dev.arrowdevice

import dev.arrowdevice.builder.MemoryBalance
import dev.arrowdevice.builder.arrayOf
import dev.arrowdevice.builder.objects
import dev.arrowdevice.internal.memory.Platform
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackStruct
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.interop.SyclObject
import dev.arrowdevice.interop.SyclUsmArrayInterface
import dev.arrowdevice.spi.NativeAllocation
import dev.arrowdevice.spi.NativeCallback
import dev.arrowdevice.spi.NativeFunctions
import dev.arrowdevice.spi.NativeLibrary
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.invoke.MethodHandles
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import java.lang.reflect.Modifier

/** On Java before 22, calls that need the C interface throw and do nothing else. On newer Java they work. */
class ForeignMemoryNeededTest :
    FunSpec({
        extension(MemoryBalance())

        val schema = Schema.of(Field.nullable("n", ArrowType.INT32))
        val entryPoints =
            listOf(
                ArrowExport::class.java,
                ArrowImport::class.java,
                CStruct::class.java,
            ).flatMap { face ->
                // A call with a struct is impossible where no struct can be made.
                face.methods.filter { method ->
                    Modifier.isStatic(method.modifiers) &&
                        method.parameterTypes.none { CStruct::class.java.isAssignableFrom(it) }
                }
            }

        test("the version of the running Java decides") {
            val version = System.getProperty("java.specification.version").toInt()
            version shouldBeGreaterThanOrEqual 17
            Platform.HAS_FOREIGN_MEMORY shouldBe (version >= 22)
        }

        test("the test has all entry points") { entryPoints shouldHaveAtLeastSize 34 }

        entryPoints.forEach { method ->
            val name = "${method.declaringClass.simpleName}.${method.name}"
            test("$name(${method.parameterTypes.joinToString { it.simpleName }})") {
                arrayOf(ArrowType.INT32, 1, null).use { array ->
                    RecordBatch.of(schema, listOf(array.share())).use { batch ->
                        DeviceArrayStream.of(schema, listOf(batch.share())).use { stream ->
                            val arguments = method.parameterTypes.map { argument(it, array, batch, stream) }
                            if (Platform.HAS_FOREIGN_MEMORY) {
                                method.answersWithForeignMemory(arguments)
                            } else {
                                val failure = shouldThrow<UnsupportedOperationException> { method.call(arguments) }
                                failure.message shouldContain method.name
                                failure.message shouldContain "needs Java 22 or newer"
                            }
                            array.objects() shouldBe listOf(1, null)
                            batch.column(0).objects() shouldBe listOf(1, null)
                            stream.nextBatch()?.close()
                        }
                    }
                }
            }
        }

        test("native functions, callbacks and native blocks need foreign memory too") {
            if (!Platform.HAS_FOREIGN_MEMORY) {
                listOf<() -> Any?>(
                    { NativeLibrary.search("C library").names(listOf("libc.so.6")).open() },
                    { NativeFunctions.of(MethodHandles.lookup(), Runnable::class.java, { 1 }, "nothing") },
                    { NativeFunctions.byAddress(MethodHandles.lookup(), Runnable::class.java) },
                    { NativeCallback.of(MethodHandles.lookup(), "main", Void.TYPE) },
                    { NativeAllocation.allocate(8) },
                ).forEach {
                    shouldThrow<UnsupportedOperationException> { it() }.message shouldContain "needs Java 22 or newer"
                }
            }
        }

        test(
            "array interfaces can be parsed everywhere, and be made of arrays or made arrays only with foreign memory",
        ) {
            val map = mapOf("shape" to listOf(1), "typestr" to "<i4", "data" to listOf(64, false), "version" to 1)
            val cuda = CudaArrayInterface.fromMap(map)
            val sycl = SyclUsmArrayInterface.fromMap(map + ("syclobj" to "cpu"))
            if (!Platform.HAS_FOREIGN_MEMORY) {
                var closed = 0
                arrayOf(ArrowType.INT32, 1).use { array ->
                    val options = ImportOptions.on(Device(DeviceType.CUDA, 0))
                    val exports = ExportOptions.defaults().writable()
                    listOf<() -> Any?>(
                        { cuda.importArray({ closed++ }, options) },
                        { sycl.importArray({ closed++ }, options) },
                        { CudaArrayInterface.of(array) },
                        { SyclUsmArrayInterface.of(array, SyclObject.queue(1), exports) },
                        { DlpackTensor.of(array, exports) },
                        { DlpackTensor.exportVersioned(array, exports) },
                        { DlpackTensor.exportLegacy(array, exports) },
                        { DlpackTensor.importArray(DlpackStruct.versioned(64), options) },
                        { DlpackTensor.importArray(DlpackStruct.legacy(64), options) },
                        { DlpackTensor.read(DlpackStruct.versioned(64)) },
                        { DlpackTensor.read(DlpackStruct.legacy(64)) },
                        { DlpackStruct.versioned(64).delete() },
                        { DlpackStruct.legacy(64).delete() },
                    ).forEach { call ->
                        shouldThrow<UnsupportedOperationException> { call() }.message shouldContain
                            "needs Java 22 or newer"
                    }
                    array.objects() shouldBe listOf(1)
                }
                closed shouldBe 2
            }
        }

        test("the address of a buffer") {
            arrayOf(ArrowType.INT32, 1).use { array ->
                val buffer = requireNotNull(array.data.buffer(1))
                if (Platform.HAS_FOREIGN_MEMORY) {
                    buffer.address % 64 shouldBe 0
                } else {
                    shouldThrow<UnsupportedOperationException> { buffer.address }.message shouldContain "Java 22"
                }
            }
        }
    })

/** Something of the class; as an address NULL, which no entry point takes, and as a block one that does nothing. */
private fun argument(
    type: Class<*>,
    array: DeviceArray,
    batch: RecordBatch,
    stream: DeviceArrayStream,
): Any =
    when (type) {
        Long::class.javaPrimitiveType -> {
            0L
        }

        DeviceArray::class.java -> {
            array
        }

        RecordBatch::class.java -> {
            batch
        }

        DeviceArrayStream::class.java -> {
            stream
        }

        Schema::class.java -> {
            batch.schema
        }

        Field::class.java -> {
            batch.schema.field(0)
        }

        ArrowType::class.java -> {
            ArrowType.INT32
        }

        Validation::class.java -> {
            Validation.FULL
        }

        CStruct.Block::class.java -> {
            CStruct.Block<CStruct, RuntimeException> { requireForeignMemory() }
        }

        CStruct.BlockWithSchema::class.java -> {
            CStruct.BlockWithSchema<CStruct, RuntimeException> { _, _ -> requireForeignMemory() }
        }

        else -> {
            throw IllegalArgumentException("$type")
        }
    }

private fun requireForeignMemory() = check(Platform.HAS_FOREIGN_MEMORY) { "a block was called without foreign memory" }

private fun Method.answersWithForeignMemory(arguments: List<Any>) {
    when (declaringClass) {
        CStruct::class.java -> {
            if (arguments.isEmpty()) {
                (call(arguments) as CStruct).use { it.isLive shouldBe false }
            } else {
                shouldThrow<IllegalArgumentException> { call(arguments) }.message shouldContain "NULL"
            }
        }

        ArrowImport::class.java -> {
            shouldThrow<IllegalStateException> { call(arguments) }.message shouldContain "without filling"
        }

        else -> {
            call(arguments)
        }
    }
}

private fun Method.call(arguments: List<Any>): Any? =
    try {
        invoke(null, *arguments.toTypedArray())
    } catch (e: InvocationTargetException) {
        throw e.targetException
    }
