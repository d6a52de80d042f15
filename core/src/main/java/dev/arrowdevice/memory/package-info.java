/**
 * Memory on devices: {@link dev.arrowdevice.memory.DeviceBuffer} and its reference-counted owner, host access, and the
 * {@link dev.arrowdevice.memory.DeviceRuntime} that every kind of device implements.
 */
@NullMarked
package dev.arrowdevice.memory;

import org.jspecify.annotations.NullMarked;
