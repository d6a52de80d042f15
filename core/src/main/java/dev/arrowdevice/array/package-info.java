/**
 * Arrays: {@link dev.arrowdevice.array.DeviceArray} and {@link dev.arrowdevice.array.RecordBatch} own memory,
 * {@link dev.arrowdevice.array.ArrayView} borrows it, {@link dev.arrowdevice.array.ArrayReader} reads it. Offset and
 * validity are handled here and nowhere else.
 */
@NullMarked
package dev.arrowdevice.array;

import org.jspecify.annotations.NullMarked;
