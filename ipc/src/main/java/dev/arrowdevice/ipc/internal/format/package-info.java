/** The metadata of messages: FlatBuffers in, schemas and headers out, and back. */
@NullMarked
package dev.arrowdevice.ipc.internal.format;

import org.jspecify.annotations.NullMarked;
