/** Streams of many small batches, pulled, sent and as flows. */
@NullMarked
package dev.arrowdevice.benchmarks.stream;

import org.jspecify.annotations.NullMarked;
