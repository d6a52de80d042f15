/** Copies between the host and a device. */
@NullMarked
package dev.arrowdevice.benchmarks.device;

import org.jspecify.annotations.NullMarked;
