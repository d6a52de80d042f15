package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.ArrowType
import dev.arrowdevice.TypeId
import dev.arrowdevice.spi.ArrayData
import org.apache.arrow.vector.FieldVector
import org.apache.arrow.vector.util.ValueVectorUtility

/** The addresses of the buffers that have bytes, and are not validity bits that only one of two sides may have. */
internal fun addresses(data: ArrayData): List<Long> {
    val first =
        if (data.type
                .storageType()
                .layout()
                .hasValidity()
        ) {
            1
        } else {
            0
        }
    return (first until data.bufferCount)
        .mapNotNull { data.buffer(it) }
        .filter { it.byteSize > 0 }
        .map { it.address } +
        (0 until data.childCount).flatMap { addresses(data.child(it)) } +
        (data.dictionary?.let(::addresses) ?: listOf())
}

/** Arrow Java's own check of each value, for the types that it can check. */
internal fun validate(
    vector: FieldVector,
    type: ArrowType,
) {
    if (isChecked(type)) ValueVectorUtility.validateFull(vector)
}

private fun isChecked(type: ArrowType): Boolean =
    type.storageType().id() !in unchecked && type.storageType().children().all { isChecked(it.type()) }

/**
 * It throws "unsupported" or "incorrect type" for vectors of its own of these, and allows decimals one digit too few.
 */
private val unchecked =
    setOf(
        TypeId.FLOAT16,
        TypeId.DECIMAL128,
        TypeId.DECIMAL256,
        TypeId.LIST_VIEW,
        TypeId.LARGE_LIST_VIEW,
        TypeId.FIXED_SIZE_LIST,
        TypeId.MAP,
        TypeId.RUN_END_ENCODED,
    )
