/**
 * The C structs of the Arrow interfaces at raw addresses, and the functions behind their callbacks. Only this package
 * knows an offset or a function pointer.
 */
@NullMarked
package dev.arrowdevice.internal.abi;

import org.jspecify.annotations.NullMarked;
