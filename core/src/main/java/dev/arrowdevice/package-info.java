/**
 * Arrow arrays on the JVM and their exchange, without a copy, with native runtimes in the same process.
 *
 * <p>{@link dev.arrowdevice.DeviceArray} and {@link dev.arrowdevice.RecordBatch} own memory,
 * {@link dev.arrowdevice.ArrayView} borrows it, {@link dev.arrowdevice.DeviceArrayStream} gives one batch after the other.
 * {@link dev.arrowdevice.ArrowExport} hands them to foreign runtimes, {@link dev.arrowdevice.ArrowImport} takes theirs.
 * {@link dev.arrowdevice.ArrowType}, {@link dev.arrowdevice.Field} and {@link dev.arrowdevice.Schema} say what a column holds.
 */
@NullMarked
package dev.arrowdevice;

import org.jspecify.annotations.NullMarked;
