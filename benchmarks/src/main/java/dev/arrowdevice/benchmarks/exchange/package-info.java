/** Arrays, batches and schemas over the C data interface. */
@NullMarked
package dev.arrowdevice.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
