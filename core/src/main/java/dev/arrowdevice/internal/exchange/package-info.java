/** Export and import of schemas and arrays, to and from C structs. */
@NullMarked
package dev.arrowdevice.internal.exchange;

import org.jspecify.annotations.NullMarked;
