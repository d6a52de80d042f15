/**
 * Arrow arrays on the JVM and their exchange, without a copy, with native runtimes in the same process.
 *
 * <p>{@link dev.arrowdevice.DeviceArray} and {@link dev.arrowdevice.RecordBatch} own memory.
 * {@link dev.arrowdevice.ArrayView} borrows it. {@link dev.arrowdevice.DeviceArrayStream} returns one batch after the
 * other. {@link dev.arrowdevice.ArrowExport} exports to foreign consumers, and {@link dev.arrowdevice.ArrowImport}
 * imports from foreign producers. {@link dev.arrowdevice.ArrowType}, {@link dev.arrowdevice.Field} and
 * {@link dev.arrowdevice.Schema} describe the columns.
 */
@NullMarked
package dev.arrowdevice;

import org.jspecify.annotations.NullMarked;
