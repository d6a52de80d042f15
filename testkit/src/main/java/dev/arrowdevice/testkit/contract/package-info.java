/**
 * The tests that each implementation of {@link dev.arrowdevice.memory.DeviceRuntime} passes, for any test framework: start
 * with {@link dev.arrowdevice.testkit.contract.DeviceContract}.
 */
@NullMarked
package dev.arrowdevice.testkit.contract;

import org.jspecify.annotations.NullMarked;
