package dev.arrowdevice.rocm

import dev.arrowdevice.spi.NativeMemory
import java.lang.foreign.Arena
import java.lang.foreign.ValueLayout.JAVA_INT

internal fun putByte(
    address: Long,
    value: Byte,
) = NativeMemory.putByte(address, value)

internal fun getBytes(
    address: Long,
    size: Int,
) = ByteArray(size) { NativeMemory.getByte(address + it) }

/** The value that a function writes to the address that it gets. */
internal fun outInt(body: (Long) -> Int): Int =
    Arena.ofConfined().use { arena ->
        val out = arena.allocate(JAVA_INT)
        check(body(out.address()) == 0)
        out.get(JAVA_INT, 0)
    }
