/**
 * Makes a {@link dev.arrowdevice.memory.DeviceRuntime} of the calls of a native driver: lifetimes, ownership, callbacks and
 * errors are the same for every driver and are here; what differs is a {@link dev.arrowdevice.driver.DeviceDriver}. For
 * those who bring a kind of device.
 */
@NullMarked
package dev.arrowdevice.driver;

import org.jspecify.annotations.NullMarked;
