@file:OptIn(ExperimentalSerializationApi::class)

package dev.arrowdevice.serialization.internal

import dev.arrowdevice.serialization.ArrowSerializersModule
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerialName
import kotlinx.serialization.SerializationException
import kotlinx.serialization.builtins.ListSerializer
import kotlinx.serialization.builtins.MapSerializer
import kotlinx.serialization.builtins.SetSerializer
import kotlinx.serialization.builtins.nullable
import kotlinx.serialization.serializerOrNull
import java.lang.reflect.AnnotatedElement
import java.lang.reflect.AnnotatedParameterizedType
import java.lang.reflect.AnnotatedType
import java.lang.reflect.ParameterizedType
import java.lang.reflect.RecordComponent
import java.lang.reflect.Type

/** The serializer of a record, or of a sealed interface of records; made once for each class. */
internal fun <T : Any> recordSerializer(type: Class<out T>): KSerializer<T> {
    // A serializer of that class, which it is made for.
    @Suppress("UNCHECKED_CAST")
    return SERIALIZERS.get(type) as KSerializer<T>
}

private val SERIALIZERS =
    object : ClassValue<KSerializer<Any>>() {
        override fun computeValue(type: Class<*>): KSerializer<Any> = JavaTypes(emptyList()).ofClass(type)
    }

/**
 * Finds serializers of types of Java.
 *
 * @property around the classes that what is asked for is in
 */
private class JavaTypes(
    private val around: List<Class<*>>,
) {
    fun ofClass(type: Class<*>): KSerializer<Any> {
        if (type in around) {
            val cycle = (around.dropWhile { it != type } + type).joinToString(" → ") { it.simpleName }
            throw SerializationException("the class contains itself, which no Arrow type can: $cycle")
        }
        val within = JavaTypes(around + type)
        if (!type.isRecord) {
            val records = recordsOf(type).associateWith { within.ofClass(it) }
            return SealedRecordsSerializer(type, records, type.annotations.toList())
        }
        val components = type.recordComponents.map { within.component(type, it) }
        return RecordSerializer(type, nameOf(type), components.toTypedArray())
    }

    private fun component(
        record: Class<*>,
        component: RecordComponent,
    ): Component {
        val annotations = record.getDeclaredField(component.name).annotations.toList()
        val nullable = isNullable(component.annotatedType, annotations, record)
        val serializer =
            of(component.annotatedType, record)
                ?: throw SerializationException(
                    "${nameOf(record)}.${component.name}: no Arrow type stands for ${component.genericType.typeName}",
                )
        val handle =
            try {
                ComponentHandle.of(component)
            } catch (e: IllegalAccessException) {
                throw SerializationException("${record.name} can't be read: open its package to this module", e)
            }

        // A serializer of values that may be null, for the descriptor; it is passed values that are not.
        @Suppress("UNCHECKED_CAST")
        val declared = if (nullable) serializer.nullable as KSerializer<Any> else serializer
        return Component(component.name, component.type, nullable, annotations, handle, declared)
    }

    private fun of(
        annotated: AnnotatedType,
        record: Class<*>,
    ): KSerializer<Any>? {
        val type = annotated.type
        val raw = rawClass(type) ?: return null
        val found: KSerializer<*>? =
            when {
                raw.isEnum -> {
                    EnumConstantSerializer(raw)
                }

                raw.isRecord || raw.isSealed -> {
                    ofClass(raw)
                }

                raw == List::class.java || raw == Collection::class.java -> {
                    argument(annotated, 0, record)?.let { ListSerializer(it) }
                }

                raw == Set::class.java -> {
                    argument(annotated, 0, record)?.let { SetSerializer(it) }
                }

                raw == Map::class.java -> {
                    val key = typeArgument(annotated, 0)?.let { of(it, record) } // Keys are never null.
                    val value = argument(annotated, 1, record)
                    if (key == null || value == null) null else MapSerializer(key, value)
                }

                else -> {
                    ArrowSerializersModule.serializerOrNull(type)
                }
            }
        // It is of values of the type that it was found for.
        @Suppress("UNCHECKED_CAST")
        return found as KSerializer<Any>?
    }

    /** The serializer of an argument of a generic type; of nullable values if they may be null. */
    private fun argument(
        annotated: AnnotatedType,
        index: Int,
        record: Class<*>,
    ): KSerializer<Any?>? {
        val type = typeArgument(annotated, index) ?: return null
        val serializer = of(type, record) ?: return null
        // What is not nullable passes as if it were.
        @Suppress("UNCHECKED_CAST")
        return if (isNullable(type, emptyList(), record)) serializer.nullable else serializer as KSerializer<Any?>
    }

    /** The records of a sealed interface, and of those that it permits. */
    private fun recordsOf(type: Class<*>): List<Class<*>> =
        when {
            type.isRecord -> listOf(type)

            type.isSealed -> type.permittedSubclasses.flatMap(::recordsOf)

            else -> throw SerializationException(
                "${type.name} is neither a record nor a sealed interface of records",
            )
        }

    private companion object {
        val NOT_NULL = setOf("NonNull", "NotNull", "Nonnull")

        fun nameOf(type: Class<*>): String = type.getAnnotation(SerialName::class.java)?.value ?: type.simpleName

        fun typeArgument(
            annotated: AnnotatedType,
            index: Int,
        ): AnnotatedType? = (annotated as? AnnotatedParameterizedType)?.annotatedActualTypeArguments?.get(index)

        fun rawClass(type: Type): Class<*>? = type as? Class<*> ?: (type as? ParameterizedType)?.rawType as? Class<*>

        fun isNullable(
            type: AnnotatedType,
            declared: List<Annotation>,
            record: Class<*>,
        ): Boolean {
            if ((type.type as? Class<*>)?.isPrimitive == true) return false
            val names = (type.annotations.toList() + declared).map { it.annotationClass.java.simpleName }
            return when {
                "Nullable" in names -> true
                names.any { it in NOT_NULL } -> false
                else -> !isNullMarked(record)
            }
        }

        fun isNullMarked(type: Class<*>): Boolean {
            val around: Sequence<AnnotatedElement> =
                generateSequence(type) { it.enclosingClass } + listOf(type.`package`, type.module)
            for (element in around) {
                val names = element.annotations.map { it.annotationClass.java.simpleName }
                if ("NullUnmarked" in names) return false
                if ("NullMarked" in names) return true
            }
            return false
        }
    }
}
