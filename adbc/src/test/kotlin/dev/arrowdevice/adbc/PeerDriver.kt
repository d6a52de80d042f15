package dev.arrowdevice.adbc

import dev.arrowdevice.spi.NativeAllocation
import dev.arrowdevice.spi.NativeLibrary
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.CCompiler
import dev.arrowdevice.testkit.Counted
import java.lang.invoke.MethodHandles
import java.nio.file.Path
import java.util.function.Supplier

@Suppress("ktlint:standard:function-naming")
internal interface PeerApi {
    fun peer_alive(): Int

    fun peer_statements(): Int

    fun peer_reset()

    fun peer_let_through()

    fun peer_await_waiting()

    fun peer_can_cancel(can: Boolean)

    fun peer_cancels(): Int

    fun peer_stop_at(call: Long)

    fun peer_calls(): Long

    fun peer_overlaps(): Int

    fun peer_released_on(): Long

    fun peer_this_thread(): Long

    fun peer_offset_of(name: Long): Long

    fun peer_size_of(name: Long): Long
}

/** The driver in `adbcpeer.c`, which does on demand what a real one does rarely. */
internal object PeerDriver : Counted {
    val file: Path =
        CCompiler.find(System.getenv()).sharedLibrary(
            "adbcpeer",
            listOf("adbcpeer.c", "adbc_abi.h", "adbcpeer_streams.h", "adbcpeer_turns.h").associateWith { name ->
                PeerDriver::class.java.getResource("/$name")!!.readText()
            },
        )

    val api: PeerApi =
        NativeLibrary
            .search("ADBC peer")
            .files(listOf(file))
            .open()
            .bind(MethodHandles.lookup(), PeerApi::class.java)
            .calls

    /** Opens a database of the driver. */
    fun open(
        entryPoint: String? = null,
        options: AdbcOptionsScope.() -> Unit = {},
    ): AdbcDatabase {
        api.peer_reset()
        api.peer_can_cancel(true)
        stopAt("nowhere")
        return adbc(file.toString(), entryPoint, options = options)
    }

    /** Lets the driver of `PeerInitTurns` stop in a call, until `peer_let_through`, and forget the calls so far. */
    fun stopAt(call: String) = NativeAllocation.ofString(call).use { api.peer_stop_at(it.address) }

    /** The calls of the driver of `PeerInitTurns` since [stopAt]. */
    fun calls(): String = NativeMemory.getString(api.peer_calls(), 1024)

    override fun count(): Supplier<List<String>> {
        val before = api.peer_alive()
        return Supplier {
            val more = api.peer_alive() - before
            if (more == 0) listOf() else listOf("$more objects of the driver were not released")
        }
    }
}
