package dev.arrowdevice.arrowjava

import dev.arrowdevice.spi.Diagnostics
import dev.arrowdevice.spi.ReferenceCounted
import org.apache.arrow.memory.ArrowBuf
import org.apache.arrow.memory.ReferenceManager

/**
 * References to buffers of Arrow Java, which are released together. Buffers of one allocation, such as all those of a
 * message, have one reference manager, and one reference keeps them all.
 */
internal class HeldBuffers : ReferenceCounted() {
    private var managers = arrayOfNulls<ReferenceManager>(INITIAL_SIZE)
    private var count = 0
    private var copies: ReferenceCounted? = null

    /** Takes a reference to a buffer. */
    fun hold(buffer: ArrowBuf) {
        val manager = buffer.referenceManager
        if (count > 0 && managers[count - 1] === manager) return
        manager.retain()
        if (count == managers.size) managers = managers.copyOf(count * 2)
        managers[count++] = manager
    }

    /** Takes over a reference to memory of ours. */
    fun own(copy: ReferenceCounted) {
        copies = copies?.let { all(it, copy) } ?: copy
    }

    /** An allocator that was closed meanwhile refuses the release. The other references are released all the same. */
    override fun free() {
        for (i in 0 until count) {
            try {
                managers[i]!!.release()
            } catch (e: Throwable) {
                Diagnostics.lateFailure(e)
            }
        }
        copies?.release()
    }

    private companion object {
        const val INITIAL_SIZE = 4
    }
}
