package dev.arrowdevice.coroutines.stress

import dev.arrowdevice.spi.CAsyncDeviceStreamHandlerStruct
import java.lang.foreign.Arena
import java.lang.foreign.MemorySegment
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

/**
 * An `ArrowAsyncDeviceStreamHandler` that passes calls on to another one, at [original]. The producer that it gets and
 * the tasks that it passes on do the same.
 */
internal class HandlerBetween(
    private val original: Long,
    private val strike: Strike,
) {
    private val arena = Arena.ofShared()
    private val id = ALL.add(this)
    private val producer = arena.allocate(5 * WORD, WORD).address()
    private val tasks = ConcurrentLinkedQueue<TaskBetween>()

    private val address = arena.allocate(6 * WORD, WORD).address()

    val handler: CAsyncDeviceStreamHandlerStruct get() = CAsyncDeviceStreamHandlerStruct.at(address)

    /** Tasks that came, not the NULL. */
    val came = AtomicInteger()

    /** The arrays that were extracted, by the number of the task. */
    val arrays = ArraysBetween()
    val discarded = AtomicInteger()
    val failed = AtomicInteger()
    val refused = AtomicInteger()

    /** Whether the consumer knows the producer. */
    @Volatile
    var hasSchema = false
        private set

    init {
        listOf(SCHEMA, NEXT, ERROR, RELEASE, 0, id).forEachIndexed { i, value -> setWord(address, i, value) }
    }

    /** Calls `cancel`, as the consumer might. */
    fun cancel() = Functions.run(word(producer, 2), producer)

    /** To be called at the end of a run that went well: after another one somebody may still call. */
    fun close() {
        arrays.close()
        ALL.remove(id)
        tasks.forEach { TASKS.remove(it.id) }
        arena.close()
    }

    private fun passProducerOn() {
        val given = word(address, 4)
        if (given == 0L) return
        setWord(producer, 0, word(given, 0))
        listOf(REQUEST, CANCEL, word(given, 3), id).forEachIndexed { i, value -> setWord(producer, i + 1, value) }
        setWord(original, 4, producer)
        hasSchema = true
    }

    private inner class TaskBetween(
        task: Long,
        val number: Int,
    ) {
        val between: HandlerBetween get() = this@HandlerBetween
        val id = TASKS.add(this)
        val struct: Long
        val original: Long

        init {
            tasks += this
            // Both live as long as the run: a consumer copies the one and may use it twice.
            synchronized(arena) {
                struct = arena.allocate(2 * WORD, WORD).address()
                original = arena.allocate(2 * WORD, WORD).address()
            }
            setWord(original, 0, word(task, 0))
            setWord(original, 1, word(task, 1))
            setWord(struct, 0, EXTRACT)
            setWord(struct, 1, id)
        }
    }

    companion object {
        private val ALL = Registry<HandlerBetween>()
        private val TASKS = Registry<TaskBetween>()

        private val SCHEMA = stub("schema", Int::class.java, 2)
        private val NEXT = stub("next", Int::class.java, 3)
        private val ERROR = stub("error", Void.TYPE, 4)
        private val RELEASE = stub("release", Void.TYPE, 1)
        private val REQUEST = stub("request", Void.TYPE, 2)
        private val CANCEL = stub("cancelled", Void.TYPE, 1)
        private val EXTRACT = stub("extract", Int::class.java, 2)
        private val CALL_ERROR = Functions.caller(Void.TYPE, 4)

        private fun stub(
            method: String,
            result: Class<*>,
            parameters: Int,
        ): Long = Functions.stub(HandlerBetween::class.java, method, result, parameters)

        @JvmStatic
        fun schema(
            self: Long,
            schema: Long,
        ): Int =
            ALL[self, 5].run {
                passProducerOn()
                strike.around(Point.SCHEMA) { Functions.int(word(original, 0), original, schema) }
            }

        @JvmStatic
        fun next(
            self: Long,
            task: Long,
            metadata: Long,
        ): Int =
            ALL[self, 5].run {
                if (task == 0L) {
                    return strike.around(Point.END) { Functions.int(word(original, 1), original, 0, metadata) }
                }
                val passed = TaskBetween(task, came.getAndIncrement())
                strike
                    .around(Point.NEXT) { Functions.int(word(original, 1), original, passed.struct, metadata) }
                    .also { if (it != 0) refused.incrementAndGet() }
            }

        @JvmStatic
        fun error(
            self: Long,
            code: Long,
            message: Long,
            metadata: Long,
        ) = ALL[self, 5].run {
            strike.around(Point.ERROR) {
                // The code is an int, which travels in a word too.
                val function = MemorySegment.ofAddress(word(original, 2))
                CALL_ERROR.invokeWithArguments(function, original, code, message, metadata)
            }
            Unit
        }

        @JvmStatic
        fun release(self: Long) =
            ALL[self, 5].run {
                strike.around(Point.RELEASE) { Functions.run(word(original, 3), original) }
            }

        @JvmStatic
        fun request(
            self: Long,
            n: Long,
        ) = ALL[self, 4].run {
            val given = word(address, 4)
            strike.around(Point.REQUEST) { Functions.run(word(given, 1), given, n) }
        }

        @JvmStatic
        fun cancelled(self: Long) =
            ALL[self, 4].run {
                val given = word(address, 4)
                strike.around(Point.CANCEL) { Functions.run(word(given, 2), given) }
            }

        @JvmStatic
        fun extract(
            self: Long,
            out: Long,
        ): Int {
            val task = TASKS[self, 1]
            return task.between.run {
                strike
                    .around(Point.EXTRACT) { Functions.int(word(task.original, 0), task.original, out) }
                    .also { code ->
                        when {
                            code != 0 -> failed.incrementAndGet()
                            out == 0L -> discarded.incrementAndGet()
                            else -> arrays.passOn(out, task.number)
                        }
                    }
            }
        }
    }
}
