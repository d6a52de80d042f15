package dev.arrowdevice.spi;

/**
 * How much memory a device has, in bytes.
 *
 * @param free what can still be allocated, by the device's own account
 * @param total all of it
 */
public record MemoryInfo(long free, long total) {}
