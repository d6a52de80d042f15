/** Memory that reading and writing share. */
@NullMarked
package dev.arrowdevice.ipc.internal.memory;

import org.jspecify.annotations.NullMarked;
