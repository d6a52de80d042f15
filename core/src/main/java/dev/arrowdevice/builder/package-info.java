/**
 * Builders of arrays and record batches: {@link dev.arrowdevice.builder.ArrayBuilder} for any type,
 * {@link dev.arrowdevice.builder.RecordBatchBuilder} for tables.
 */
@NullMarked
package dev.arrowdevice.builder;

import org.jspecify.annotations.NullMarked;
