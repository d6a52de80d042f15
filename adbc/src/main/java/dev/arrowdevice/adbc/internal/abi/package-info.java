/** The structs and functions of {@code adbc.h}. */
@NullMarked
package dev.arrowdevice.adbc.internal.abi;

import org.jspecify.annotations.NullMarked;
