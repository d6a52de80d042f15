/**
 * Native functions: opening libraries, calling functions by their addresses, and addresses for functions of ours. Knows nothing
 * of Arrow. Apart from the C heap and raw memory, every restricted call of {@code java.lang.foreign} is made here or in
 * {@code internal.abi}, so that one module needs native access. Only touched where {@code java.lang.foreign} exists.
 */
@NullMarked
package dev.arrowdevice.internal.binding;

import org.jspecify.annotations.NullMarked;
