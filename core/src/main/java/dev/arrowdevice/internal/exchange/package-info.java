/**
 * Schemas and arrays out to C structs and in from them.
 */
@NullMarked
package dev.arrowdevice.internal.exchange;

import org.jspecify.annotations.NullMarked;
