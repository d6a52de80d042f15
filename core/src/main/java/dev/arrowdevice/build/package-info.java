/**
 * Builders of arrays and record batches: {@link dev.arrowdevice.build.ArrayBuilder} for any type,
 * {@link dev.arrowdevice.build.RecordBatchBuilder} for tables.
 */
@NullMarked
package dev.arrowdevice.build;

import org.jspecify.annotations.NullMarked;
