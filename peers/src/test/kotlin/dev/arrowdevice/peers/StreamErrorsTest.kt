package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.ForeignException
import dev.arrowdevice.Validation
import dev.arrowdevice.forEachBatch
import dev.arrowdevice.spi.ForeignStreams
import dev.arrowdevice.spi.NativeCallback
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldNotBeExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.invoke.MethodHandles

/** Offsets in an `ArrowArrayStream`. */
private const val GET_SCHEMA = 0L
private const val GET_LAST_ERROR = 16L
private const val RELEASE = 24L

private object Silent {
    @JvmStatic
    private fun succeed(
        stream: Long,
        out: Long,
    ): Int = 0

    /** A callback that returns success and does nothing. */
    val callback: Long =
        NativeCallback.of(
            MethodHandles.lookup(),
            "succeed",
            Int::class.java,
            Long::class.java,
            Long::class.java,
        )
}

private class Detailed(
    message: String?,
    val releaseCallback: Long,
) : RuntimeException(message)

class StreamErrorsTest :
    FunSpec({
        extension(PeerBalance)

        /** The exception that a stream of the C peer fails with; it has read the struct that the stream was moved to. */
        fun failureOf(
            options: PeerStreamOptions,
            read: (DeviceArrayStream) -> Unit = {},
        ): Detailed =
            Structs().use { structs ->
                val struct = structs.stream()
                structs.peer.produceStream(Fields.batch, PeerOptions.rows(3), options, struct)
                shouldThrow<Detailed> {
                    ForeignStreams
                        .importStream(CStruct.arrayStreamAt(struct), Validation.STRUCTURE) { address, failure ->
                            Detailed("${failure.errno}: ${failure.message}", NativeMemory.getLong(address + RELEASE))
                        }.use(read)
                }
            }

        test("the decoder gets an error of get_next and the live struct") {
            val failure =
                failureOf(PeerStreamOptions.batches(3).failing(1, 5, "disk")) {
                    generateSequence(it::nextBatch).forEach { batch ->
                        batch.close()
                    }
                }
            failure.message shouldBe "5: [get_next][EIO 5] disk"
            failure.releaseCallback shouldNotBeExactly 0L
        }

        test("the decoder gets an error of get_schema, and the stream is released") {
            val failure = failureOf(PeerStreamOptions.batches(3).failingSchema(22, "no such table"))
            failure.message shouldBe "22: [get_schema][EINVAL 22] no such table"
            failure.releaseCallback shouldNotBeExactly 0L
        }

        test("without get_last_error a failure has no description") {
            withStructs {
                val struct = stream()
                peer.produceStream(
                    Fields.batch,
                    PeerOptions.rows(3),
                    PeerStreamOptions.batches(1).failing(0, 5, "disk"),
                    struct,
                )
                NativeMemory.putLong(struct + GET_LAST_ERROR, 0)
                ArrowImport.importStream(CStruct.arrayStreamAt(struct)).use { stream ->
                    shouldThrow<ForeignException> { stream.nextBatch() }.message shouldBe
                        "[get_next][EIO 5] the producer returned no description"
                }
            }
        }

        test("a producer that returns no schema is refused, whatever was in the memory before") {
            withStructs {
                repeat(3) {
                    // Freed memory of the same size, which reads as a live schema.
                    CStruct.schema().use { ArrowExport.exportField(Field.nullable("x", ArrowType.INT32), it) }
                    val struct = stream()
                    peer.produceStream(Fields.batch, PeerOptions.rows(3), PeerStreamOptions.batches(1), struct)
                    NativeMemory.putLong(struct + GET_SCHEMA, Silent.callback)
                    shouldThrow<IllegalStateException> {
                        ArrowImport.importStream(CStruct.arrayStreamAt(struct))
                    }.message shouldContain "released or moved"
                    NativeMemory.getLong(struct + RELEASE) shouldBe 0L
                }
            }
        }
    })
