package dev.arrowdevice

// Overloads of add and addAll that do not box, one for each primitive type. Java has no unsigned types: their values
// are passed on as the next wider type.

/** Appends a value. */
@JvmName("addBoolean")
public fun ArrayScope<Boolean>.add(value: Boolean) {
    builder.append(value)
}

/** Appends a value. */
@JvmName("addByte")
public fun ArrayScope<Byte>.add(value: Byte) {
    builder.append(value.toInt())
}

/** Appends a value. */
@JvmName("addShort")
public fun ArrayScope<Short>.add(value: Short) {
    builder.append(value.toInt())
}

/** Appends a value. */
@JvmName("addInt")
public fun ArrayScope<Int>.add(value: Int) {
    builder.append(value)
}

/** Appends a value. */
@JvmName("addLong")
public fun ArrayScope<Long>.add(value: Long) {
    builder.append(value)
}

/** Appends a value. */
@JvmName("addUByte")
public fun ArrayScope<UByte>.add(value: UByte) {
    builder.append(value.toInt())
}

/** Appends a value. */
@JvmName("addUShort")
public fun ArrayScope<UShort>.add(value: UShort) {
    builder.append(value.toInt())
}

/** Appends a value. */
@JvmName("addUInt")
public fun ArrayScope<UInt>.add(value: UInt) {
    builder.append(value.toLong())
}

/** Appends a value. */
@JvmName("addFloat")
public fun ArrayScope<Float>.add(value: Float) {
    builder.append(value)
}

/** Appends a value. */
@JvmName("addDouble")
public fun ArrayScope<Double>.add(value: Double) {
    builder.append(value)
}

/** Appends a value. */
@JvmName("addULong")
public fun ArrayScope<ULong>.add(value: ULong) {
    builder.appendUnsigned(value.toLong())
}

/** Appends a value. */
@JvmName("addInstant")
public fun ArrayScope<java.time.Instant>.add(value: kotlin.time.Instant) {
    builder.append(value as Any)
}

/** Appends a value. */
@JvmName("addDuration")
public fun ArrayScope<java.time.Duration>.add(value: kotlin.time.Duration) {
    builder.append(value as Any)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllBooleans")
public fun ArrayScope<Boolean>.addAll(
    values: BooleanArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllBytes")
public fun ArrayScope<Byte>.addAll(
    values: ByteArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllShorts")
public fun ArrayScope<Short>.addAll(
    values: ShortArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllInts")
public fun ArrayScope<Int>.addAll(
    values: IntArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllLongs")
public fun ArrayScope<Long>.addAll(
    values: LongArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllFloats")
public fun ArrayScope<Float>.addAll(
    values: FloatArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values by copying memory. A value is null if [valid], which has the same length, is false for it. */
@JvmName("addAllDoubles")
public fun ArrayScope<Double>.addAll(
    values: DoubleArray,
    valid: BooleanArray? = null,
) {
    builder.appendAll(values, valid)
}

/** Appends all values of the range. */
@JvmName("addIntRange")
public fun ArrayScope<Int>.addAll(values: IntRange) {
    for (value in values) {
        builder.append(value)
    }
}

/** Appends all values of the range. */
@JvmName("addLongRange")
public fun ArrayScope<Long>.addAll(values: LongRange) {
    for (value in values) {
        builder.append(value)
    }
}
