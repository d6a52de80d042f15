package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.Schema;
import dev.arrowdevice.ipc.ArrowIpcException;
import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.ipc.internal.format.BatchHeader;
import dev.arrowdevice.ipc.internal.format.Guard;
import dev.arrowdevice.ipc.internal.format.MessageMetadata;
import dev.arrowdevice.ipc.internal.format.MessageMetadata.Blocks;
import dev.arrowdevice.ipc.internal.format.MessageMetadata.FileFooter;
import dev.arrowdevice.spi.DeviceBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;

/** The batches of a file, in any order, by any threads. */
public final class BatchFile implements AutoCloseable {
    /** What a file begins and ends with. */
    private static final String MAGIC = "ARROW1";
    /** The size of the footer, and the magic, at the end. */
    private static final int TRAILER = 10;

    private final FileBytes bytes;
    private final IpcReadOptions options;
    private final BodyMemory memory;
    private final FileFooter footer;
    private final Dictionaries dictionaries;
    private final BatchReader batches;
    private boolean dictionariesRead;
    private volatile boolean closed;

    private BatchFile(FileBytes bytes, IpcReadOptions options, FileFooter footer) {
        this.bytes = bytes;
        this.options = options;
        this.memory = new BodyMemory(options);
        this.footer = footer;
        this.dictionaries = new Dictionaries(footer.plan(), options, memory);
        this.batches = new BatchReader(footer.plan(), options, memory, dictionaries);
    }

    /** Opens a file by its footer. Takes the bytes over, also if it fails. */
    public static BatchFile open(FileBytes bytes, IpcReadOptions options) {
        try {
            return new BatchFile(bytes, options, footer(bytes, options));
        } catch (Throwable e) {
            bytes.close();
            throw e;
        }
    }

    /** Opens a file by its messages, as far as they are whole. Takes the bytes over, also if it fails. */
    public static BatchFile recover(FileBytes bytes, IpcReadOptions options) {
        try {
            requireMagic(bytes);
            return new BatchFile(bytes, options, new FileScan(bytes, options).scan(MAGIC.length() + 2));
        } catch (Throwable e) {
            bytes.close();
            throw e;
        }
    }

    private static void requireMagic(FileBytes bytes) {
        byte[] begin = FileScan.bytes(bytes, 0, (int) Math.min(bytes.byteSize(), MAGIC.length()));
        if (!new String(begin, StandardCharsets.ISO_8859_1).equals(MAGIC)) {
            String format = OtherFormat.of(begin);
            throw new ArrowIpcException(
                    0, "the file does not begin with " + MAGIC + (format == null ? "" : "; it is " + format));
        }
    }

    private static String text(FileBytes bytes, long offset, long size) {
        return new String(FileScan.bytes(bytes, offset, (int) size), StandardCharsets.ISO_8859_1);
    }

    private static FileFooter footer(FileBytes bytes, IpcReadOptions options) {
        requireMagic(bytes);
        long size = bytes.byteSize();
        if (size < MAGIC.length() + 2 + TRAILER
                || !text(bytes, size - MAGIC.length(), MAGIC.length()).equals(MAGIC)) {
            throw new ArrowIpcException(
                    Math.max(0, size - MAGIC.length()),
                    "the file has no footer: it was cut off, or its writer was closed without finish()."
                            + " ArrowFile.recover reads the batches that are whole");
        }
        byte[] trailer = FileScan.bytes(bytes, size - TRAILER, TRAILER);
        int footerSize = Alignment.littleInt(trailer, 0);
        long end = size - TRAILER - footerSize;
        if (footerSize <= 0 || end < MAGIC.length() + 2 || footerSize > options.getMaxMetadataBytes()) {
            throw new ArrowIpcException(
                    size - TRAILER, "the footer is said to have " + footerSize + " bytes, the file has " + size);
        }
        return MessageMetadata.footer(FileScan.bytes(bytes, end, footerSize), end);
    }

    /** The schema of all batches. */
    public Schema schema() {
        return footer.plan().schema();
    }

    /** The keys and values of the footer. */
    public Metadata metadata() {
        return footer.metadata();
    }

    /** The number of batches. */
    public int size() {
        return footer.batches().size();
    }

    /** Reads a batch as a struct array. */
    public DeviceArray read(int index) {
        requireOpen("batch");
        try {
            readDictionaries();
            return readBatch(index);
        } catch (ArrowIpcException | IllegalStateException e) {
            requireOpen("batch"); // Closed meanwhile, so dictionaries or bytes were gone. The file may be sound.
            throw e;
        }
    }

    private DeviceArray readBatch(int index) {
        try (IpcMessage message = message(footer.batches(), index, MessageHeader.RecordBatch)) {
            return batches.read(message);
        }
    }

    private void requireOpen(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + ": the file has been closed");
        }
    }

    /** The number of rows of a batch, by its metadata. */
    public long rows(int index) {
        requireOpen("rowCount");
        long offset = footer.batches().offsets()[index];
        Message message = metadataOf(index);
        return Guard.reading(
                offset,
                "the record batch",
                () -> BatchHeader.ofBatch(offset, message).rows());
    }

    /** The keys and values of a batch's message. */
    public Metadata metadata(int index) {
        requireOpen("batchMetadata");
        return MessageMetadata.of(footer.batches().offsets()[index], metadataOf(index));
    }

    /** The metadata of a batch's message; of the body nothing is read, however large it is. */
    private Message metadataOf(int index) {
        long offset = footer.batches().offsets()[index];
        byte[] metadata = new FileScan(bytes, options).metadata(offset);
        Message message = metadata == null ? null : MessageMetadata.parse(offset, metadata);
        if (message == null || message.headerType() != MessageHeader.RecordBatch) {
            throw notDescribed(offset);
        }
        return message;
    }

    private static ArrowIpcException notDescribed(long offset) {
        return new ArrowIpcException(offset, "the message is not the one that the footer describes");
    }

    private void readDictionaries() {
        if (footer.plan().dictionaries().isEmpty()) {
            return;
        }
        synchronized (dictionaries) {
            requireOpen("batch"); // Nobody would release what is read after that.
            if (!dictionariesRead) {
                dictionaries.close(); // An attempt before this one may have failed half way.
                for (int i = 0; i < footer.dictionaries().size(); i++) {
                    dictionaries.accept(message(footer.dictionaries(), i, MessageHeader.DictionaryBatch), false);
                }
                dictionariesRead = true;
            }
        }
    }

    private IpcMessage message(Blocks blocks, int index, byte kind) {
        long offset = blocks.offsets()[index];
        MessageReader.requireSize(offset, blocks.bodySizes()[index], options);
        DeviceBuffer range = bytes.range(offset, blocks.metadataSizes()[index] + blocks.bodySizes()[index]);
        try (MessageReader messages = new MessageReader(new MemorySource(range, offset, memory), options)) {
            IpcMessage message = messages.next();
            if (message == null
                    || message.kind() != kind
                    || message.body().getByteSize() != blocks.bodySizes()[index]) {
                if (message != null) {
                    message.close();
                }
                throw notDescribed(offset);
            }
            return message;
        }
    }

    @Override
    public void close() {
        synchronized (dictionaries) {
            closed = true;
            dictionaries.close();
        }
        bytes.close();
    }
}
