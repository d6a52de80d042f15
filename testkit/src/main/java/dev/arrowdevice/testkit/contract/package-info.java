/**
 * The tests that each implementation of {@link dev.arrowdevice.spi.DeviceRuntime} passes, for any test framework. Begin
 * with {@link dev.arrowdevice.testkit.contract.DeviceContract}. {@link dev.arrowdevice.testkit.contract.ArrayContract}
 * has the tests of arrays on the runtime's device.
 */
@NullMarked
package dev.arrowdevice.testkit.contract;

import org.jspecify.annotations.NullMarked;
