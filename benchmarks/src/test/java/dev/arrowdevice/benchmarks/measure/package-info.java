/** Benchmarks that are as long as a test wants them. */
@NullMarked
package dev.arrowdevice.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
