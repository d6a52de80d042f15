/** From messages to arrays. */
@NullMarked
package dev.arrowdevice.ipc.internal.reading;

import org.jspecify.annotations.NullMarked;
