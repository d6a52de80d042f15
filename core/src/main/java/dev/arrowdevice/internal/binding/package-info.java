/**
 * Native functions: opens libraries, calls functions by address, and makes addresses for functions of ours. Knows
 * nothing of Arrow. Every restricted call of {@code java.lang.foreign}, except those for the C heap and raw memory, is
 * made here or in {@code internal.abi}, so that one module needs native access. Used only if {@code java.lang.foreign}
 * exists.
 */
@NullMarked
package dev.arrowdevice.internal.binding;

import org.jspecify.annotations.NullMarked;
