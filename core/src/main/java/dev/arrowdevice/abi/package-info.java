/**
 * The structs of the Arrow C interfaces by raw address, and the calls through their function pointers.
 */
@NullMarked
package dev.arrowdevice.abi;

import org.jspecify.annotations.NullMarked;
