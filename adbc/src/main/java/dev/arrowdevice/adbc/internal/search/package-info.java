/** Finds the library of a driver, as ADBC's driver manager does. */
@NullMarked
package dev.arrowdevice.adbc.internal.search;

import org.jspecify.annotations.NullMarked;
