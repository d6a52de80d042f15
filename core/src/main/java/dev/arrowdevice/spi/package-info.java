/**
 * For authors of device runtimes, and of code that builds arrays from memory.
 *
 * <p>Every kind of device implements {@link dev.arrowdevice.spi.DeviceRuntime}.
 * {@link dev.arrowdevice.spi.DriverRuntime} implements it with a {@link dev.arrowdevice.spi.DeviceDriver}, which has
 * the calls of a native driver. {@link dev.arrowdevice.spi.DriverDevices} has the devices of a process.
 * {@link dev.arrowdevice.spi.ArrayData} is the structure of an array, {@link dev.arrowdevice.spi.DeviceBuffer} is its
 * memory, and {@link dev.arrowdevice.spi.ReferenceCounted} keeps the memory alive.
 *
 * <p>{@link dev.arrowdevice.spi.NativeLibrary} and {@link dev.arrowdevice.spi.NativeFunctions} call native functions;
 * {@link dev.arrowdevice.spi.NativeAllocation} is memory for a call.
 */
@NullMarked
package dev.arrowdevice.spi;

import org.jspecify.annotations.NullMarked;
