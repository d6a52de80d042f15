package dev.arrowdevice.ipc;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.ipc.internal.reading.BatchFile;
import dev.arrowdevice.ipc.internal.reading.FileBytes;
import dev.arrowdevice.spi.DeviceBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Reads a file of Arrow IPC: any batch, in any order, by any threads at a time. The file is mapped into memory, so an
 * uncompressed batch is the memory of the file, without a copy, and its pages are read when they are used first.
 *
 * <pre>{@code
 * import dev.arrowdevice.RecordBatch;
 * import dev.arrowdevice.ipc.ArrowFile;
 * import java.nio.file.Path;
 *
 * try (ArrowFile file = ArrowFile.open(Path.of("orders.arrow"));
 *         RecordBatch last = file.batch(file.getBatchCount() - 1)) {
 *     System.out.println(last);
 * }
 * }</pre>
 *
 * <p>Batches belong to the caller, and outlive the file object. The file itself must not be changed, cut off or written anew
 * meanwhile: a read behind its end fails, or ends the process. On Java before 22, a batch is smaller than 2 GiB.
 *
 * <p>Reading fails with an {@link ArrowIpcException} if the bytes are damaged, and with an
 * {@link java.io.UncheckedIOException} if the file can't be read.
 */
public final class ArrowFile implements AutoCloseable {
    private final BatchFile file;
    private final int deviceType;

    private ArrowFile(BatchFile file, IpcReadOptions options) {
        this.file = file;
        this.deviceType = options.getDevice().getDevice().type();
    }

    /** Maps a file and reads its footer. */
    public static ArrowFile open(Path path) {
        return open(path, IpcReadOptions.defaults());
    }

    /** Maps a file and reads its footer. */
    public static ArrowFile open(Path path, IpcReadOptions options) {
        return new ArrowFile(BatchFile.open(FileBytes.map(path), options), options);
    }

    /**
     * Reads the footer of a file whose bytes are in memory.
     *
     * @param bytes memory that the host can read; one reference to its owner moves to the file object, and is released if this
     *     fails
     */
    public static ArrowFile open(DeviceBuffer bytes, IpcReadOptions options) {
        return new ArrowFile(BatchFile.open(FileBytes.of(bytes), options), options);
    }

    /** Reads a file that was cut off; see {@link #recover(Path, IpcReadOptions)}. */
    public static ArrowFile recover(Path path) {
        return recover(path, IpcReadOptions.defaults());
    }

    /**
     * Reads a file that was cut off, or whose writer did not finish. It has the batches up to the first message that is not
     * whole. The metadata of all messages is read for that. A message whose metadata is damaged ends the file too; damage
     * within a batch shows when the batch is read.
     *
     * @throws ArrowIpcException if not even the schema is whole
     */
    public static ArrowFile recover(Path path, IpcReadOptions options) {
        return new ArrowFile(BatchFile.recover(FileBytes.map(path), options), options);
    }

    /** The schema of all batches. */
    public Schema getSchema() {
        return file.schema();
    }

    /** The keys and values of the footer. They are not those of the schema. */
    public Metadata getMetadata() {
        return file.metadata();
    }

    /** The number of batches. */
    public int getBatchCount() {
        return file.size();
    }

    /**
     * A batch, which the caller closes.
     *
     * @param index from 0
     * @throws IndexOutOfBoundsException if there is no such batch
     * @throws IllegalStateException if the file object was closed
     */
    public RecordBatch batch(int index) {
        requireBatch(index);
        DeviceArray array = file.read(index);
        try {
            return RecordBatch.ofStruct(file.schema(), array);
        } catch (Throwable e) {
            array.close();
            throw e;
        }
    }

    /**
     * The number of rows of a batch, for which only its metadata is read.
     *
     * @throws IndexOutOfBoundsException if there is no such batch
     */
    public long rowCount(int index) {
        requireBatch(index);
        return file.rows(index);
    }

    /**
     * The keys and values of a batch's message.
     *
     * @throws IndexOutOfBoundsException if there is no such batch
     */
    public Metadata batchMetadata(int index) {
        requireBatch(index);
        return file.metadata(index);
    }

    private void requireBatch(int index) {
        if (index < 0 || index >= file.size()) {
            throw new IndexOutOfBoundsException("batch " + index + " of a file of " + file.size() + " batches");
        }
    }

    /** All batches in their order, as a stream, which the caller closes. The file object must stay open meanwhile. */
    public DeviceArrayStream stream() {
        Iterator<RecordBatch> batches = new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < getBatchCount();
            }

            @Override
            public RecordBatch next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return batch(next++);
            }
        };
        return DeviceArrayStream.of(file.schema(), deviceType, batches, () -> {});
    }

    /** Closes the file. Batches stay valid until they are closed. Idempotent, never throws. */
    @Override
    public void close() {
        file.close();
    }
}
