/**
 * The tests that each implementation of {@link dev.arrowdevice.spi.DeviceRuntime} passes, for any test framework: start
 * with {@link dev.arrowdevice.testkit.contract.DeviceContract}, and go on with
 * {@link dev.arrowdevice.testkit.contract.ArrayContract}, for arrays on its device.
 */
@NullMarked
package dev.arrowdevice.testkit.contract;

import org.jspecify.annotations.NullMarked;
