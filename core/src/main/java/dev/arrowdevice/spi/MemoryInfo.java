package dev.arrowdevice.spi;

/**
 * The amount of memory of a device, in bytes.
 *
 * @param free the memory that can still be allocated, as the device reports it
 * @param total all memory
 */
public record MemoryInfo(long free, long total) {}
