/**
 * Builders of arrays and record batches.
 */
@NullMarked
package dev.arrowdevice.build;

import org.jspecify.annotations.NullMarked;
