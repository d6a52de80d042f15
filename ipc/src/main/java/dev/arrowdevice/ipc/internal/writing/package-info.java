/** From arrays to messages. */
@NullMarked
package dev.arrowdevice.ipc.internal.writing;

import org.jspecify.annotations.NullMarked;
