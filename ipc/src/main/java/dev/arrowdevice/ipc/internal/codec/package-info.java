/** Compression. */
@NullMarked
package dev.arrowdevice.ipc.internal.codec;

import org.jspecify.annotations.NullMarked;
