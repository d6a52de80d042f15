/**
 * For who writes a device runtime or builds arrays from memory.
 *
 * <p>A {@link dev.arrowdevice.spi.DeviceRuntime} is what every kind of device implements;
 * {@link dev.arrowdevice.spi.DriverRuntime} makes one of a {@link dev.arrowdevice.spi.DeviceDriver}, the calls of a native
 * driver, and {@link dev.arrowdevice.spi.DriverDevices} keeps the devices of a process.
 * {@link dev.arrowdevice.spi.ArrayData} is the structure of an array, {@link dev.arrowdevice.spi.DeviceBuffer} its memory and
 * {@link dev.arrowdevice.spi.ReferenceCounted} what keeps that alive.
 *
 * <p>{@link dev.arrowdevice.spi.NativeLibrary} and {@link dev.arrowdevice.spi.NativeFunctions} call native functions;
 * {@link dev.arrowdevice.spi.NativeBlock} is memory for a call.
 */
@NullMarked
package dev.arrowdevice.spi;

import org.jspecify.annotations.NullMarked;
