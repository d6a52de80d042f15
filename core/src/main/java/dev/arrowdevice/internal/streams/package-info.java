/**
 * Streams out to C structs and in from them.
 */
@NullMarked
package dev.arrowdevice.internal.streams;

import org.jspecify.annotations.NullMarked;
