/** Databases over ADBC, and what users would otherwise call. */
@NullMarked
package dev.arrowdevice.benchmarks.database;

import org.jspecify.annotations.NullMarked;
