package dev.arrowdevice.access

import dev.arrowdevice.ArrowCounters
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.Device
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.add
import dev.arrowdevice.addAll
import dev.arrowdevice.asSequence
import dev.arrowdevice.deviceArray
import dev.arrowdevice.exportTo
import dev.arrowdevice.exportToDevice
import dev.arrowdevice.importArray
import dev.arrowdevice.interop.CudaArrayInterface
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.recordBatch
import dev.arrowdevice.spi.Devices
import dev.arrowdevice.spi.NativeAllocation
import dev.arrowdevice.spi.NativeCallback
import dev.arrowdevice.spi.NativeFunctions
import dev.arrowdevice.spi.NativeLibrary
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.toDeviceArrayStream
import dev.arrowdevice.values
import java.lang.invoke.MethodHandles
import java.math.BigDecimal
import java.time.LocalDate
import java.time.LocalTime

// In a package that the module lacks, so that these programs can be on the class path while the core is a module.

/** Uses all that needs no native access, then tries what does, twice. */
object WithoutAccess {
    val crossings: Map<String, (RecordBatch) -> Any?> =
        mapOf(
            "a batch" to { it.exportTo { _, _ -> error("the block was called") } },
            "a batch for a device" to { it.exportToDevice { _, _ -> error("the block was called") } },
            "a schema" to { it.schema.exportTo { _ -> error("the block was called") } },
            "a stream" to { batch ->
                DeviceArrayStream.of(batch.schema, listOf(batch.share())).use { stream ->
                    stream.exportTo { _ -> error("the block was called") }
                }
            },
            "an import" to { importArray { _, _ -> error("the block was called") } },
            "a struct" to { CStruct.array() },
            "a struct of foreign memory" to { CStruct.arrayAt(64) },
            "a library" to { NativeLibrary.search("C library").names(listOf("libc.so.6")).open() },
            "functions" to { NativeFunctions.of(MethodHandles.lookup(), Runnable::class.java, { 1 }, "nothing") },
            "a callback" to { NativeCallback.of(MethodHandles.lookup(), "main", Void.TYPE) },
            "an allocation" to { NativeAllocation.allocate(8) },
            "memory" to { NativeMemory.allocate(8) },
            "a tensor" to { batch ->
                batch.column("int").share().use { DlpackTensor.of(it, ExportOptions.defaults()) }
            },
            "an array interface" to { batch -> CudaArrayInterface.of(batch.column("int")) },
        )

    @JvmStatic
    fun main(arguments: Array<String>) {
        workWithoutCrossing()
        println("works")
        repeat(2) {
            builtBatch().use { batch ->
                crossings.forEach { (name, cross) ->
                    try {
                        cross(batch)
                        println("$name crossed")
                    } catch (e: UnsupportedOperationException) {
                        println("$name refused: ${e.message}")
                    }
                }
                batch.use { check(it.values<Long>("long").sum() == 3L) { "the batch is not the caller's any more" } }
            }
        }
        printBalance()
    }
}

/** Uses nothing that needs native access. */
object BuildsOnly {
    @JvmStatic
    fun main(arguments: Array<String>) {
        workWithoutCrossing()
        println("works")
        printBalance()
    }
}

/** Exports what was built before native access was enabled; the collector frees that memory when it was released. */
object EnabledLater {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val built =
            deviceArray<Int> {
                add(1)
                addNull()
                add(3)
            }
        built.slice(1, 2).use { check(it.isNull(0)) }
        val imported =
            importArray { array, schema -> built.exportTo(array, schema) }
        repeat(20) {
            System.gc()
            deviceArray<Long> { repeat(100_000) { add(-1L) } }.close()
        }
        imported.use { println("exported " + (0L..2L).map(it::getObject)) }
        printBalance()
    }
}

private fun printBalance() {
    val now = ArrowCounters.now()
    println(if (now.hostBuffers() == 0L && now.hostBytes() == 0L && now.unreleased() == 0L) "balanced" else "$now")
}

private fun builtBatch() =
    recordBatch {
        column<Int>("int") { addAll(listOf(1, 2)) }
        column<Long>("long") { addAll(1L..2L) }
        column<String>("text") {
            add("Ada")
            addNull()
        }
        column<Boolean>("bool") { addAll(listOf(true, false)) }
        column<LocalDate>("date") { addAll(listOf(LocalDate.EPOCH, LocalDate.EPOCH)) }
        column<List<Int>>("list") {
            add(listOf(1, 2, 3))
            addNull()
        }
    }

private fun workWithoutCrossing() {
    builtBatch().use { batch ->
        check(batch.values<String>("text").toList() == listOf("Ada", null))
        check(batch.column("long").borrow { reader -> (0L..1L).sumOf(reader::getLong) } == 3L)
        check(batch.column("int").toIntArray().toList() == listOf(1, 2))
        check(batch.column("list").getObject(0) == listOf(1, 2, 3))
        check("Ada" in "$batch" && "Ada" in batch.column("text").toString())
        batch.slice(1, 1).use { check(it.column("int").getInt(0) == 2) }
        batch.copyTo(Device.CPU).use { check(it.valuesEqual(batch)) }
        batch.share().use { share -> check(share.asStruct().getObject(0) is Map<*, *>) }
    }
    bigArray()
    everyLayout()
    val schema = Schema.of(Field.nullable("n", ArrowType.INT32))
    (1..3)
        .asSequence()
        .map { n -> recordBatch(schema) { column<Int>("n") { add(n) } } }
        .toDeviceArrayStream(schema)
        .use { stream ->
            val sums = stream.asSequence().map { batch -> batch.use { it.values<Int>("n").sum() } }.toList()
            check(sums == listOf(1, 2, 3)) { "$sums" }
        }
    check(Devices.discover().all { it.runtimes().isEmpty() })
}

private fun bigArray() {
    deviceArray<Long> { repeat(1_000_000) { add(it.toLong()) } }.use { array ->
        check(array.borrow { reader -> (0 until reader.length).sumOf(reader::getLong) } == 499_999_500_000L)
    }
}

private fun everyLayout() {
    listOf(
        deviceArray<BigDecimal>(ArrowType.decimal128(10, 2)) { add(BigDecimal("1.25")) },
        deviceArray<String>(ArrowType.UTF8_VIEW) { add("longer than twelve bytes") },
        deviceArray<String>(ArrowType.LARGE_UTF8) { add("é") },
        deviceArray<ByteArray>(ArrowType.fixedSizeBinary(2)) { add(byteArrayOf(1, 2)) },
        deviceArray<LocalTime> { add(LocalTime.NOON) },
        deviceArray<String>(ArrowType.dictionary(ArrowType.INT8, ArrowType.UTF8, false)) { repeat(3) { add("again") } },
    ).forEach { array ->
        array.use {
            checkNotNull(it.getObject(0))
            it.share().use { share -> check(share.valuesEqual(it)) }
        }
    }
}
