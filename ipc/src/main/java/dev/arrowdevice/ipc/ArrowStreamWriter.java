package dev.arrowdevice.ipc;

import dev.arrowdevice.Metadata;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.ipc.internal.writing.BatchWriter;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;

/**
 * Writes a stream of Arrow IPC: the schema when it is opened, then a batch at a time.
 *
 * <!-- given static java.nio.channels.WritableByteChannel channel; static dev.arrowdevice.Schema schema; static dev.arrowdevice.RecordBatch batch; -->
 * <pre>{@code
 * import dev.arrowdevice.ipc.ArrowStreamWriter;
 *
 * try (ArrowStreamWriter writer = ArrowStreamWriter.open(channel, schema)) {
 *     writer.write(batch);
 *     writer.finish();
 * }
 * }</pre>
 *
 * <p>{@link #finish} writes the end-of-stream marker. Without it, as after an exception, what was written is a valid beginning
 * of a stream, which readers take for a whole one unless they ask for the marker
 * ({@link IpcReadOptions#withEndRequired}). Each batch is on its way when {@link #write} returns.
 *
 * <p>The writer owns the channel and closes it. Batches remain the caller's. A slice is written as what it shows. A batch on a
 * device that the host can't read is copied. A dictionary that differs from that of the batch before is written anew.
 * Writers may be used by several threads, one call at a time. A failure of the channel is an
 * {@link java.io.UncheckedIOException}; after it nothing more can be written.
 */
public final class ArrowStreamWriter implements AutoCloseable {
    private final BatchWriter writer;

    private ArrowStreamWriter(BatchWriter writer) {
        this.writer = writer;
    }

    /** Writes the schema to a channel, which moves to the writer; see {@link #open(WritableByteChannel, Schema, IpcWriteOptions)}. */
    public static ArrowStreamWriter open(WritableByteChannel channel, Schema schema) {
        return open(channel, schema, IpcWriteOptions.defaults());
    }

    /**
     * Writes the schema to a channel.
     *
     * @param channel a blocking channel, which moves to the writer, and is closed if this fails
     * @throws IllegalArgumentException if the channel does not block, or the format can't express a type of the schema; the message
     *     names the field
     * @throws UnsupportedOperationException if the library that compresses is missing; the message names it
     */
    public static ArrowStreamWriter open(WritableByteChannel channel, Schema schema, IpcWriteOptions options) {
        return new ArrowStreamWriter(BatchWriter.open(channel, schema, options, false));
    }

    /** Writes the schema to a stream, which moves to the writer; see {@link #open(WritableByteChannel, Schema, IpcWriteOptions)}. */
    public static ArrowStreamWriter open(OutputStream stream, Schema schema) {
        return open(stream, schema, IpcWriteOptions.defaults());
    }

    /** Writes the schema to a stream of bytes, which moves to the writer, and is closed if this fails. */
    public static ArrowStreamWriter open(OutputStream stream, Schema schema, IpcWriteOptions options) {
        return open(Channels.newChannel(stream), schema, options);
    }

    /** The schema of all batches. */
    public Schema getSchema() {
        return writer.schema();
    }

    /** The bytes that were written so far. May be asked for by any thread, to show progress. */
    public long getBytesWritten() {
        return writer.bytesWritten();
    }

    /** The batches that were written so far. May be asked for by any thread, to show progress. */
    public long getBatchesWritten() {
        return writer.batchesWritten();
    }

    /** Writes a batch, which remains the caller's; see {@link #write(RecordBatch, Metadata)}. */
    public void write(RecordBatch batch) {
        write(batch, Metadata.EMPTY);
    }

    /**
     * Writes a batch, which remains the caller's.
     *
     * @param metadata keys and values for the batch's message; most readers ignore them
     * @throws IllegalArgumentException if the batch has other fields than the schema; nothing was written then
     * @throws IllegalStateException if the writer was finished or closed, or the batch was
     */
    public void write(RecordBatch batch, Metadata metadata) {
        writer.write(batch, metadata);
    }

    /**
     * Writes the end-of-stream marker. No batch can follow.
     *
     * @throws IllegalStateException if the writer was finished or closed
     */
    public void finish() {
        writer.finish();
    }

    /** Closes the channel, without the end-of-stream marker if {@link #finish} was not called. Idempotent. */
    @Override
    public void close() {
        writer.close();
    }
}
