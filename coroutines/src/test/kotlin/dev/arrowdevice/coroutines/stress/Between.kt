package dev.arrowdevice.coroutines.stress

import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.MemoryLayout
import java.lang.foreign.MemorySegment
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.lang.invoke.MethodHandle
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicLong

/*
 * Structs that stand between two parties and pass each call on: there a cancellation can strike within the call, and a
 * third party counts what crosses. All is in words of 8 bytes; a pointer is a long.
 */

internal const val WORD = 8L

internal fun word(
    struct: Long,
    index: Int,
): Long = at(struct).get(JAVA_LONG, index * WORD)

internal fun setWord(
    struct: Long,
    index: Int,
    value: Long,
) = at(struct).set(JAVA_LONG, index * WORD, value)

private fun at(struct: Long): MemorySegment = MemorySegment.ofAddress(struct).reinterpret(1 shl 10)

/** Makes the pointers of C functions and calls them. Every parameter is a word. */
internal object Functions {
    private val linker = Linker.nativeLinker()

    /** The address of a C function that calls a static method of [owner]. */
    fun stub(
        owner: Class<*>,
        method: String,
        result: Class<*>,
        parameters: Int,
    ): Long {
        val type = MethodType.methodType(result, List(parameters) { Long::class.java })
        val handle = MethodHandles.lookup().findStatic(owner, method, type)
        return linker.upcallStub(handle, descriptor(result, parameters), Arena.global()).address()
    }

    fun caller(
        result: Class<*>,
        parameters: Int,
    ): MethodHandle = linker.downcallHandle(descriptor(result, parameters))

    private fun descriptor(
        result: Class<*>,
        parameters: Int,
    ): FunctionDescriptor {
        val words = Array<MemoryLayout>(parameters) { JAVA_LONG }
        return when (result) {
            Int::class.java -> FunctionDescriptor.of(JAVA_INT, *words)
            Long::class.java -> FunctionDescriptor.of(JAVA_LONG, *words)
            else -> FunctionDescriptor.ofVoid(*words)
        }
    }

    private val INT_2 = caller(Int::class.java, 2)
    private val INT_3 = caller(Int::class.java, 3)
    private val VOID_1 = caller(Void.TYPE, 1)
    private val VOID_2 = caller(Void.TYPE, 2)

    fun int(
        function: Long,
        a: Long,
        b: Long,
    ): Int = INT_2.invoke(MemorySegment.ofAddress(function), a, b) as Int

    fun int(
        function: Long,
        a: Long,
        b: Long,
        c: Long,
    ): Int = INT_3.invoke(MemorySegment.ofAddress(function), a, b, c) as Int

    fun run(
        function: Long,
        a: Long,
    ) {
        VOID_1.invokeWithArguments(MemorySegment.ofAddress(function), a)
    }

    fun run(
        function: Long,
        a: Long,
        b: Long,
    ) {
        VOID_2.invokeWithArguments(MemorySegment.ofAddress(function), a, b)
    }
}

/** An object between two parties. Its callbacks find it by the number in its `private_data`. */
internal class Registry<T : Any> {
    private val objects = ConcurrentHashMap<Long, T>()
    private val next = AtomicLong(1)

    fun add(value: T): Long = next.getAndIncrement().also { objects[it] = value }

    operator fun get(
        struct: Long,
        privateData: Int,
    ): T = checkNotNull(objects[word(struct, privateData)])

    fun remove(number: Long) {
        objects.remove(number)
    }
}
