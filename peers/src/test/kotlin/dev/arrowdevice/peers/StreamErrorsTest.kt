package dev.arrowdevice.peers

import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Validation
import dev.arrowdevice.forEachBatch
import dev.arrowdevice.spi.ForeignStreams
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldNotBeExactly
import io.kotest.matchers.shouldBe

/** The offset of `release` in an `ArrowArrayStream`. */
private const val RELEASE = 24L

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
    })
