package dev.arrowdevice.coroutines.stress

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

/** Watches the arrays that are exchanged, and their releases by any code, wherever the arrays were moved. */
internal class ArraysBetween {
    private val all = ConcurrentLinkedQueue<ArrayBetween>()

    val size: Int get() = all.size

    /** Watches an array that a consumer just got; at the end of a stream there is none. */
    fun passOn(
        array: Long,
        number: Int,
    ) {
        if (word(array, RELEASE) != 0L) all += ArrayBetween(array, number)
    }

    /** The numbers of all arrays, each of which was released once. */
    fun released(): List<Int> {
        for (array in all) {
            check(array.releases.get() == 1) { "array ${array.number} was released ${array.releases} times" }
        }
        return all.map { it.number }
    }

    /** Forgets them; to be called when all were released. */
    fun close() {
        all.forEach { REGISTRY.remove(it.id) }
    }

    private class ArrayBetween(
        array: Long,
        val number: Int,
    ) {
        val releases = AtomicInteger()
        val id = REGISTRY.add(this)
        private val release = word(array, RELEASE)
        private val privateData = word(array, PRIVATE_DATA)

        init {
            setWord(array, RELEASE, STUB)
            setWord(array, PRIVATE_DATA, id)
        }

        fun releaseAt(array: Long) {
            // A second release is counted and not passed on.
            if (releases.incrementAndGet() > 1) return
            setWord(array, RELEASE, release)
            setWord(array, PRIVATE_DATA, privateData)
            Functions.run(release, array)
        }
    }

    companion object {
        /** Words of `ArrowArray`. */
        private const val RELEASE = 8
        private const val PRIVATE_DATA = 9

        private val REGISTRY = Registry<ArrayBetween>()
        private val STUB = Functions.stub(ArraysBetween::class.java, "release", Void.TYPE, 1)

        @JvmStatic
        fun release(array: Long) = REGISTRY[array, PRIVATE_DATA].releaseAt(array)
    }
}
