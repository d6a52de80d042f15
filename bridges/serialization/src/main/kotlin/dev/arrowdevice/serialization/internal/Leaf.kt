package dev.arrowdevice.serialization.internal

import dev.arrowdevice.ArrowType
import dev.arrowdevice.DictionaryType
import dev.arrowdevice.ExtensionType
import dev.arrowdevice.RunEndEncodedType
import dev.arrowdevice.TimestampType
import dev.arrowdevice.TypeId
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.descriptors.PrimitiveKind
import kotlinx.serialization.descriptors.SerialDescriptor

/**
 * The Kotlin types that one Arrow value stands for.
 *
 * @property text how messages name it
 * @property isObject whether values pass as objects, past their serializers
 */
internal enum class Leaf(
    val text: String,
    val isObject: Boolean = false,
) {
    BOOLEAN("a Boolean"),
    BYTE("a Byte"),
    SHORT("a Short"),
    INT("an Int"),
    LONG("a Long"),
    UBYTE("a UByte"),
    USHORT("a UShort"),
    UINT("a UInt"),
    ULONG("a ULong"),
    FLOAT("a Float"),
    DOUBLE("a Double"),
    CHAR("a Char"),
    STRING("a String"),
    BYTES("a ByteArray", true),
    DATE("a LocalDate", true),
    TIME("a LocalTime", true),
    DATE_TIME("a LocalDateTime", true),
    INSTANT("an Instant", true),
    KOTLIN_INSTANT("an Instant", true),
    OFFSET_DATE_TIME("an OffsetDateTime", true),
    DURATION("a Duration", true),
    KOTLIN_DURATION("a Duration", true),
    PERIOD("a Period", true),
    DECIMAL("a BigDecimal", true),
    BIG_INTEGER("a BigInteger", true),
    UUID("a UUID", true),
    KOTLIN_UUID("a Uuid", true),
    ;

    val isUnsigned: Boolean get() = this == UBYTE || this == USHORT || this == UINT || this == ULONG

    /** Whether values of a type can be read as this; each value is checked where the type has more. */
    fun reads(type: ArrowType): Boolean = fits(type, false)

    /** Whether values can be written to a type; the builder checks each. */
    fun writes(type: ArrowType): Boolean = fits(type, true)

    private fun fits(
        type: ArrowType,
        writing: Boolean,
    ): Boolean {
        val values = valuesOf(type)
        val id = values.storageType().id()
        return when (this) {
            BOOLEAN -> id == TypeId.BOOL || values.isExtension(ExtensionType.BOOL8)
            BYTE, SHORT, UBYTE, USHORT, UINT, ULONG -> id.isInteger
            INT -> id.isInteger || id in TIMES_OF_INTS
            LONG -> id.isInteger || id in TIMES_OF_INTS || id in TIMES_OF_LONGS
            FLOAT -> id == TypeId.FLOAT16 || id == TypeId.FLOAT32 || (writing && id == TypeId.FLOAT64)
            DOUBLE -> id == TypeId.FLOAT16 || id == TypeId.FLOAT32 || id == TypeId.FLOAT64
            CHAR, STRING -> id in TEXTS
            BYTES -> id in BINARIES
            DATE -> id == TypeId.DATE32 || id == TypeId.DATE64
            TIME -> id == TypeId.TIME32 || id == TypeId.TIME64
            DATE_TIME -> id == TypeId.TIMESTAMP && zoneOf(values) == null
            INSTANT, KOTLIN_INSTANT, OFFSET_DATE_TIME -> id == TypeId.TIMESTAMP && zoneOf(values) != null
            DURATION, KOTLIN_DURATION -> id == TypeId.DURATION
            PERIOD -> id == TypeId.INTERVAL_MONTHS
            DECIMAL -> id in DECIMALS
            BIG_INTEGER -> id in DECIMALS || id.isInteger
            UUID, KOTLIN_UUID -> values.isExtension(ExtensionType.UUID)
        }
    }

    companion object {
        private val TIMES_OF_INTS = setOf(TypeId.DATE32, TypeId.TIME32, TypeId.INTERVAL_MONTHS)
        private val TIMES_OF_LONGS = setOf(TypeId.DATE64, TypeId.TIME64, TypeId.TIMESTAMP, TypeId.DURATION)
        private val TEXTS = setOf(TypeId.UTF8, TypeId.LARGE_UTF8, TypeId.UTF8_VIEW)
        private val BINARIES =
            setOf(TypeId.BINARY, TypeId.LARGE_BINARY, TypeId.BINARY_VIEW, TypeId.FIXED_SIZE_BINARY)
        private val DECIMALS = setOf(TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128, TypeId.DECIMAL256)

        private val BY_NAME: Map<String, Leaf> =
            mapOf(
                "kotlin.UByte" to UBYTE,
                "kotlin.UShort" to USHORT,
                "kotlin.UInt" to UINT,
                "kotlin.ULong" to ULONG,
                "kotlin.ByteArray" to BYTES,
                "kotlin.time.Instant" to KOTLIN_INSTANT,
                "kotlin.time.Duration" to KOTLIN_DURATION,
                "kotlin.uuid.Uuid" to KOTLIN_UUID,
                "java.time.Instant" to INSTANT,
                "java.time.OffsetDateTime" to OFFSET_DATE_TIME,
                "java.time.LocalDateTime" to DATE_TIME,
                "java.time.LocalDate" to DATE,
                "java.time.LocalTime" to TIME,
                "java.time.Duration" to DURATION,
                "java.time.Period" to PERIOD,
                "java.math.BigDecimal" to DECIMAL,
                "java.math.BigInteger" to BIG_INTEGER,
                "java.util.UUID" to UUID,
            )

        /** The leaf that a descriptor, of a serializer of values that are not null, stands for; null if it is none. */
        @OptIn(ExperimentalSerializationApi::class)
        fun of(descriptor: SerialDescriptor): Leaf? {
            BY_NAME[descriptor.serialName]?.let { return it }
            return when (descriptor.kind) {
                PrimitiveKind.BOOLEAN -> BOOLEAN
                PrimitiveKind.BYTE -> BYTE
                PrimitiveKind.SHORT -> SHORT
                PrimitiveKind.INT -> INT
                PrimitiveKind.LONG -> LONG
                PrimitiveKind.FLOAT -> FLOAT
                PrimitiveKind.DOUBLE -> DOUBLE
                PrimitiveKind.CHAR -> CHAR
                PrimitiveKind.STRING -> STRING
                else -> null
            }
        }

        fun isText(type: ArrowType): Boolean = valuesOf(type).storageType().id() in TEXTS

        /** The type of the values of dictionary and run-end encoded types; any other type itself. */
        fun valuesOf(type: ArrowType): ArrowType =
            when (val storage = type.storageType()) {
                is DictionaryType -> valuesOf(storage.valueType())
                is RunEndEncodedType -> valuesOf(storage.values().type())
                else -> type
            }

        private fun zoneOf(type: ArrowType): String? = (type.storageType() as TimestampType).timezone()

        private fun ArrowType.isExtension(name: String): Boolean = this is ExtensionType && this.name() == name
    }
}
