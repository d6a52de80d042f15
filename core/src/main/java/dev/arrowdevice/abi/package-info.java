/**
 * The C structs of the Arrow interfaces at raw addresses, and the functions behind their callbacks. Only this package
 * knows an offset or a function pointer. Not exported to users.
 */
@NullMarked
package dev.arrowdevice.abi;

import org.jspecify.annotations.NullMarked;
