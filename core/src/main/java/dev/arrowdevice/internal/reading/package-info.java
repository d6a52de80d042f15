/**
 * Readers of values: one class for each layout. Offset and validity are handled here.
 */
@NullMarked
package dev.arrowdevice.internal.reading;

import org.jspecify.annotations.NullMarked;
