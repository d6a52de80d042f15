package dev.arrowdevice.ipc;

import dev.arrowdevice.Metadata;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.ipc.internal.writing.BatchWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file of Arrow IPC, from its beginning to its end: the target need not be seekable.
 *
 * <!-- given static dev.arrowdevice.Schema schema; static dev.arrowdevice.RecordBatch batch; -->
 * <pre>{@code
 * import dev.arrowdevice.ipc.ArrowFileWriter;
 * import java.nio.file.Path;
 *
 * try (ArrowFileWriter writer = ArrowFileWriter.open(Path.of("orders.arrow"), schema)) {
 *     writer.write(batch);
 *     writer.finish();
 * }
 * }</pre>
 *
 * <p>{@link #finish} writes the footer. Without it, as after an exception, the file can't be opened as a whole one, and
 * {@link ArrowFile#recover} reads its batches. A file has one dictionary for each field: those of the batches are put together
 * in it. Otherwise the contract is that of {@link ArrowStreamWriter}.
 */
public final class ArrowFileWriter implements AutoCloseable {
    private final BatchWriter writer;

    private ArrowFileWriter(BatchWriter writer) {
        this.writer = writer;
    }

    /** Creates a file, or replaces one, which must not be mapped: see {@link ArrowFile}. */
    public static ArrowFileWriter open(Path path, Schema schema) {
        return open(path, schema, IpcWriteOptions.defaults());
    }

    /**
     * Creates a file, or replaces one. What can be refused at once is refused before a file that is there is emptied.
     *
     * @throws IllegalArgumentException if the format can't express a type of the schema; the message names the field
     * @throws UnsupportedOperationException if the library that compresses is missing; the message names it
     * @throws UncheckedIOException if the file can't be written
     */
    public static ArrowFileWriter open(Path path, Schema schema, IpcWriteOptions options) {
        BatchWriter.requireWritable(schema, options);
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            return open(channel, schema, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes a file to a channel.
     *
     * @param channel a blocking channel, which moves to the writer, and is closed if this fails. It is taken to be at the
     *     beginning of the file
     * @throws IllegalArgumentException if the format can't express a type of the schema; the message names the field
     * @throws UnsupportedOperationException if the library that compresses is missing; the message names it
     */
    public static ArrowFileWriter open(WritableByteChannel channel, Schema schema, IpcWriteOptions options) {
        return new ArrowFileWriter(BatchWriter.open(channel, schema, options, true));
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
     * @throws IllegalArgumentException if the batch has other fields than the schema, and nothing was written then; or if the
     *     dictionaries of all batches have more values together than the indices of the schema can count
     * @throws IllegalStateException if the writer was finished or closed, or the batch was
     */
    public void write(RecordBatch batch, Metadata metadata) {
        writer.write(batch, metadata);
    }

    /**
     * Writes the footer. No batch can follow.
     *
     * @throws IllegalStateException if the writer was finished or closed
     */
    public void finish() {
        writer.finish();
    }

    /** Closes the channel, without a footer if {@link #finish} was not called. Idempotent. */
    @Override
    public void close() {
        writer.close();
    }
}
