package dev.arrowdevice.coroutines.stress

import java.lang.foreign.Arena
import java.lang.foreign.MemorySegment

/** An `ArrowArrayStream` that passes on to another one, at [original]. */
internal class StreamBetween(
    private val original: Long,
    private val strike: Strike,
) {
    private val arena = Arena.ofShared()
    private val id = ALL.add(this)

    /** What came, numbered from 0. */
    val arrays = ArraysBetween()

    val address: Long = arena.allocate(5 * WORD, WORD).address()

    init {
        listOf(SCHEMA, NEXT, ERROR, RELEASE, id).forEachIndexed { i, value -> setWord(address, i, value) }
    }

    /** To be called at the end of a run that went well: after another one somebody may still call. */
    fun close() {
        arrays.close()
        ALL.remove(id)
        arena.close()
    }

    companion object {
        private val ALL = Registry<StreamBetween>()
        private val CALL_ERROR = Functions.caller(Long::class.java, 1)

        private val SCHEMA = Functions.stub(StreamBetween::class.java, "schema", Int::class.java, 2)
        private val NEXT = Functions.stub(StreamBetween::class.java, "next", Int::class.java, 2)
        private val RELEASE = Functions.stub(StreamBetween::class.java, "release", Void.TYPE, 1)
        private val ERROR = Functions.stub(StreamBetween::class.java, "error", Long::class.java, 1)

        @JvmStatic
        fun schema(
            self: Long,
            out: Long,
        ): Int =
            ALL[self, 4].run {
                strike.around(Point.SCHEMA) { Functions.int(word(original, 0), original, out) }
            }

        @JvmStatic
        fun next(
            self: Long,
            out: Long,
        ): Int =
            ALL[self, 4].run {
                strike.around(Point.NEXT) {
                    Functions.int(word(original, 1), original, out).also {
                        if (it == 0) arrays.passOn(out, arrays.size)
                    }
                }
            }

        @JvmStatic
        fun error(self: Long): Long =
            ALL[self, 4].run {
                CALL_ERROR.invoke(MemorySegment.ofAddress(word(original, 2)), original) as Long
            }

        @JvmStatic
        fun release(self: Long) =
            ALL[self, 4].run {
                strike.around(Point.RELEASE) { Functions.run(word(original, 3), original) }
                setWord(self, 3, 0)
            }
    }
}
