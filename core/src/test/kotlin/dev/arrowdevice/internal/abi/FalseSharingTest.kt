package dev.arrowdevice.internal.abi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.longs.shouldBeGreaterThanOrEqual
import sun.misc.Unsafe
import java.lang.reflect.Field
import java.lang.reflect.Modifier

/** Two lines of memory, which a processor takes from another one at once. */
private const val LINES = 128L

class FalseSharingTest :
    FunSpec({
        test("no other object shares a cache line with what the threads of a stripe write") {
            val (padding, written) =
                fieldsOf(
                    "dev.arrowdevice.internal.abi.SlotTable\$Stripe",
                ).partition { it.isPadding }
            written.minOf(::offset) - padding.minOf(::offset) shouldBeGreaterThanOrEqual LINES
            padding.maxOf(::end) - written.maxOf(::end) shouldBeGreaterThanOrEqual LINES
        }

        test("no later object shares a cache line with the reference count of an allocation") {
            val fields = fieldsOf("dev.arrowdevice.internal.memory.HostAllocation")
            val count = fields.single { it.name == "further" }
            fields.maxOf(::end) - end(count) shouldBeGreaterThanOrEqual LINES
        }
    })

private fun fieldsOf(type: String): List<Field> =
    generateSequence<Class<*>>(Class.forName(type)) { it.superclass }
        .flatMap { it.declaredFields.asSequence() }
        .filterNot { Modifier.isStatic(it.modifiers) }
        .toList()

private val Field.isPadding: Boolean
    get() = name.matches(Regex("[a-z]\\d+|header"))

private val unsafe =
    Unsafe::class.java
        .getDeclaredField("theUnsafe")
        .apply { isAccessible = true }
        .get(null) as Unsafe

@Suppress("DEPRECATION") // Nothing else tells.
private fun offset(field: Field): Long = unsafe.objectFieldOffset(field)

private fun end(field: Field): Long =
    offset(field) + if (field.type == Long::class.java) Long.SIZE_BYTES else Int.SIZE_BYTES
