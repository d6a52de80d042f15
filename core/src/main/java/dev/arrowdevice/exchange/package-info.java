/**
 * Export and import of arrays and streams over the Arrow C interfaces.
 */
@NullMarked
package dev.arrowdevice.exchange;

import org.jspecify.annotations.NullMarked;
