package dev.arrowdevice.peers.independent

import dev.arrowdevice.CStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Validation
import dev.arrowdevice.exportTo
import dev.arrowdevice.importArray
import dev.arrowdevice.importBatch
import dev.arrowdevice.importStream
import dev.arrowdevice.peers.UnavailableException
import dev.arrowdevice.spi.NativeLibrary
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.Counted
import java.lang.invoke.MethodHandles
import java.nio.file.Path
import java.util.function.Supplier

/** A failure that a peer reports, with its reason. */
internal class PeerFailure(
    reason: String,
) : RuntimeException(reason)

/**
 * An independent implementation of the C data and C stream interfaces.
 *
 * @param name what it is called
 * @param prepared how its library is had: built, if that has not been done
 */
internal class IndependentPeer(
    val name: String,
    prepared: () -> Path,
) : Counted {
    private val loaded: Result<PeerFunctions> by lazy { runCatching { load(prepared()) } }
    private val functions: PeerFunctions get() = loaded.getOrThrow()

    /** Why it can't be used here; null where it can. The first call may take minutes, when the library is built. */
    val whyUnavailable: String? by lazy {
        when (val failure = loaded.exceptionOrNull()) {
            null -> null
            is UnavailableException -> failure.message
            else -> throw failure
        }
    }

    private fun load(library: Path): PeerFunctions =
        NativeLibrary
            .search(name)
            .files(listOf(library))
            .open()
            .bind(MethodHandles.lookup(), PeerFunctions::class.java)
            .calls
            .also { it.peer_start() }

    /** Moves the array to the peer. */
    fun take(
        array: DeviceArray,
        field: Field,
    ): PeerArray = array.exportTo(field) { struct, schema -> taken(struct, schema, 0) }

    /** Moves the batch to the peer, which has it as a struct array. */
    fun take(batch: RecordBatch): PeerArray = batch.exportTo { struct, schema -> taken(struct, schema, 1) }

    private fun taken(
        array: CStruct,
        schema: CStruct,
        batch: Long,
    ) = PeerArray(checked { it.peer_import(array.address, schema.address, batch) })

    /** Moves the stream to the peer. */
    fun take(stream: DeviceArrayStream): PeerReader =
        stream.exportTo { struct -> PeerReader(checked { it.peer_stream_import(struct.address) }) }

    /** The result of a function; what it returns on failure is thrown. */
    private inline fun checked(call: (PeerFunctions) -> Long): Long {
        val result = call(functions)
        if (result == FAILED) throw PeerFailure(text(functions.peer_error()))
        return result
    }

    private fun text(address: Long): String =
        try {
            NativeMemory.getString(address, Int.MAX_VALUE)
        } finally {
            functions.peer_free_text(address)
        }

    override fun count(): Supplier<List<String>> {
        val before = functions.peer_allocated()
        return Supplier {
            val held = functions.peer_allocated() - before
            listOfNotNull("$name holds $held more".takeIf { held != 0L })
        }
    }

    override fun toString(): String = name

    /** An array of the peer. */
    inner class PeerArray internal constructor(
        private val handle: Long,
    ) : AutoCloseable {
        val length: Long get() = functions.peer_length(handle)

        /** The values as the peer reads them, in the form of the C peer. */
        val text: String get() = text(checked { it.peer_text(handle) })

        fun slice(
            from: Long,
            length: Long,
        ) = PeerArray(checked { it.peer_slice(handle, from, length) })

        /** An array that the peer has built of the values. */
        fun rebuilt() = PeerArray(checked { it.peer_rebuild(handle) })

        fun sameAs(other: PeerArray): Boolean = checked { it.peer_equal(handle, other.handle) } == 1L

        /** Imports one more owner of the array, and looks at every byte of it. */
        fun toArray(): DeviceArray =
            importArray(Validation.FULL) { array, schema -> export(array.address, schema.address) }

        /** Imports one more owner of the struct array as a batch, and looks at every byte of it. */
        fun toBatch(): RecordBatch =
            importBatch(Validation.FULL) { array, schema -> export(array.address, schema.address) }

        private fun export(
            array: Long,
            schema: Long,
        ) {
            checked { it.peer_export(handle, array, schema) }
        }

        /** Imports a stream that the peer makes of the struct array, so many times, and a failure if that is wanted. */
        fun toStream(
            times: Int,
            fails: Boolean = false,
        ): DeviceArrayStream =
            importStream(Validation.FULL) { stream ->
                checked { it.peer_stream_of(handle, times.toLong(), if (fails) 1 else 0, stream.address) }
            }

        override fun close() = functions.peer_close(handle)
    }

    /** A reader of the peer over a stream. */
    inner class PeerReader internal constructor(
        private val handle: Long,
    ) : AutoCloseable {
        /** The next batch, or null at the end. */
        fun next(): PeerArray? = checked { it.peer_stream_next(handle) }.takeIf { it != 0L }?.let { PeerArray(it) }

        /** Moves it into a stream of the peer, which is imported. */
        fun toStream(): DeviceArrayStream =
            importStream(Validation.FULL) { stream -> checked { it.peer_stream_export(handle, stream.address) } }

        override fun close() = functions.peer_stream_close(handle)
    }

    private companion object {
        const val FAILED = -1L
    }
}
