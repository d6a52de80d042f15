/**
 * Devices, buffers with owners, and access to host memory.
 */
@NullMarked
package dev.arrowdevice.memory;

import org.jspecify.annotations.NullMarked;
