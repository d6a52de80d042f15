/**
 * A device that is simulated in the process, without a GPU and without native code. Begin with
 * {@link dev.arrowdevice.testkit.device.SimulatedDevice}.
 */
@NullMarked
package dev.arrowdevice.testkit.device;

import org.jspecify.annotations.NullMarked;
