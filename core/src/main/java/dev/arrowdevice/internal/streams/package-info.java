/** Export and import of streams, to and from C structs. */
@NullMarked
package dev.arrowdevice.internal.streams;

import org.jspecify.annotations.NullMarked;
