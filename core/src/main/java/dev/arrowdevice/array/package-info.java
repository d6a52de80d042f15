/**
 * Arrays and record batches: owners, views and typed reads.
 */
@NullMarked
package dev.arrowdevice.array;

import org.jspecify.annotations.NullMarked;
