/**
 * Arrow IPC: record batches as bytes, in a stream or in a file. Begin with {@link dev.arrowdevice.ipc.ArrowStreamReader},
 * {@link dev.arrowdevice.ipc.ArrowStreamWriter}, {@link dev.arrowdevice.ipc.ArrowFile} and
 * {@link dev.arrowdevice.ipc.ArrowFileWriter}, in Kotlin with {@code arrowStream}, {@code arrowFile} and {@code writeArrow}.
 *
 * <p>A failure of a channel or a file is an {@link java.io.UncheckedIOException}; bytes that are not Arrow IPC, or beyond a
 * limit, are an {@link dev.arrowdevice.ipc.ArrowIpcException}.
 */
@NullMarked
package dev.arrowdevice.ipc;

import org.jspecify.annotations.NullMarked;
