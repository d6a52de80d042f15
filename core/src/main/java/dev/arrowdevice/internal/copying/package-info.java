/**
 * Copies of arrays between devices: a plan of pieces, and the transfer that runs it.
 */
@NullMarked
package dev.arrowdevice.internal.copying;

import org.jspecify.annotations.NullMarked;
