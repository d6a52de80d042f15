/**
 * The C structs of the Arrow interfaces at raw addresses, and the stubs of their callbacks. Only this package knows the
 * offset of a member or a function pointer.
 */
@NullMarked
package dev.arrowdevice.internal.abi;

import org.jspecify.annotations.NullMarked;
