/**
 * Format strings of the C data interface, metadata on the wire, and JSON of extension types.
 */
@NullMarked
package dev.arrowdevice.internal.type;

import org.jspecify.annotations.NullMarked;
