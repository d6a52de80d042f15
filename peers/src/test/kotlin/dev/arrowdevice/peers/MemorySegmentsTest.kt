package dev.arrowdevice.peers

import dev.arrowdevice.CStruct
import dev.arrowdevice.MemorySegments
import dev.arrowdevice.UnreadableDeviceException
import dev.arrowdevice.exportTo
import dev.arrowdevice.peers.device.withGpu
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException

/** Structs and buffers as segments. */
class MemorySegmentsTest :
    FunSpec({
        extension(PeerBalance)

        test("the segment of a struct has its size and can be read and written") {
            withStructs {
                own(Fields.int32, PeerOptions.rows(3)).use { array ->
                    array.exportTo { struct, schema ->
                        MemorySegments.borrow(struct) { segment: MemorySegment ->
                            segment.byteSize() shouldBe 80
                            segment.address() shouldBe struct.address
                            segment.get(ValueLayout.JAVA_LONG, 0) shouldBe 3
                            shouldThrow<IndexOutOfBoundsException> { segment.get(ValueLayout.JAVA_LONG, 80) }
                        }
                        MemorySegments.borrow(schema) { it: MemorySegment -> it.byteSize() } shouldBe 72
                    }
                }
            }
            val sizes =
                listOf(CStruct.deviceArray(), CStruct.arrayStream(), CStruct.deviceArrayStream()).map { struct ->
                    struct.use { MemorySegments.borrow(it) { segment: MemorySegment -> segment.byteSize() } }
                }
            sizes shouldBe listOf(128, 40, 48)
        }

        test("the segment of a struct is invalid after the borrow, and on other threads") {
            CStruct.array().use { struct ->
                lateinit var kept: MemorySegment
                MemorySegments.borrow(struct) { segment: MemorySegment ->
                    kept = segment
                    shouldThrow<ExecutionException> {
                        CompletableFuture.supplyAsync { segment.get(ValueLayout.JAVA_LONG, 0) }.get()
                    }.cause!!::class shouldBe WrongThreadException::class
                }
                shouldThrow<IllegalStateException> { kept.get(ValueLayout.JAVA_LONG, 0) }
            }
        }

        test("a struct that is closed while it is borrowed is freed after the borrow") {
            val struct = CStruct.array()
            MemorySegments.borrow(struct) { segment: MemorySegment ->
                struct.close()
                segment.get(ValueLayout.JAVA_LONG, 0) shouldBe 0
            }
            shouldThrow<IllegalStateException> { struct.address }
            shouldThrow<IllegalStateException> { MemorySegments.borrow(struct) { _: MemorySegment -> 1 } }
        }

        test("the segments of buffers have their sizes and are read-only, and a missing buffer has a NULL segment") {
            withStructs {
                own(Fields.utf8, PeerOptions.rows(3)).use { array ->
                    lateinit var kept: MemorySegment
                    MemorySegments.borrow(array) { buffers: List<MemorySegment> ->
                        buffers.size shouldBe 3
                        buffers[0] shouldBe MemorySegment.NULL
                        buffers[1].byteSize() shouldBe 16
                        buffers[1].get(ValueLayout.JAVA_INT_UNALIGNED, 12).toLong() shouldBe buffers[2].byteSize()
                        buffers[1].isReadOnly shouldBe true
                        shouldThrow<IndexOutOfBoundsException> { buffers[1].get(ValueLayout.JAVA_INT_UNALIGNED, 16) }
                        kept = buffers[1]
                    }
                    shouldThrow<IllegalStateException> { kept.get(ValueLayout.JAVA_INT_UNALIGNED, 0) }
                    array.close()
                    shouldThrow<IllegalStateException> {
                        MemorySegments.borrow(array) { _: List<MemorySegment> -> throw AssertionError("called") }
                    }
                }
            }
        }

        test("memory that is closed while it is borrowed is freed after the borrow") {
            withStructs {
                val array = own(Fields.int32, PeerOptions.rows(3))
                MemorySegments.borrow(array) { buffers: List<MemorySegment> ->
                    array.close()
                    buffers[1].get(ValueLayout.JAVA_INT_UNALIGNED, 0) shouldBe 11
                }
                array.isLive shouldBe false
            }
        }

        test("memory that the host can't read is refused") {
            withGpu {
                withStructs {
                    own(Fields.int32, PeerOptions.rows(3)).use { it.copyTo(runtime()) }.use { there ->
                        shouldThrow<UnreadableDeviceException> {
                            MemorySegments.borrow(there) { _: List<MemorySegment> -> throw AssertionError("called") }
                        }
                    }
                }
            }
        }
    })
