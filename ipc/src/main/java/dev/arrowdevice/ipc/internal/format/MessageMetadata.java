package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.ArrowIpcException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Schema;
import org.jspecify.annotations.Nullable;

/** The metadata of messages and files as bytes: what is refused before anything of it is used. */
public final class MessageMetadata {
    /** The largest number of entries of one message. */
    private static final int MAX_ENTRIES = 1 << 16;
    /** The key by which Arrow 0.17 marked bodies that were compressed before the format had a place for that. */
    private static final String EXPERIMENTAL_COMPRESSION = "ARROW:experimental_compression";

    private MessageMetadata() {}

    /** Reads the metadata of a message, which refers to these bytes. */
    public static Message parse(long position, byte[] metadata) {
        return parse(position, ByteBuffer.wrap(metadata), false);
    }

    /**
     * Reads the metadata of a message, from position to limit of a buffer on the heap.
     *
     * @param isReused whether the next message will have the same memory. A record batch is over by then; what may be kept, or
     *     has text, gets a copy. FlatBuffers reads text up to the end of the array, not only to the limit
     */
    public static Message parse(long position, ByteBuffer metadata, boolean isReused) {
        return Guard.reading(position, "the message", () -> {
            Message message = Message.getRootAsMessage(metadata);
            if (isReused
                    && (message.headerType() != MessageHeader.RecordBatch || message.customMetadataLength() != 0)) {
                message = Message.getRootAsMessage(
                        ByteBuffer.wrap(Arrays.copyOfRange(metadata.array(), metadata.position(), metadata.limit())));
            }
            requireVersion(message.version(), MetadataVersion.V4);
            byte kind = message.headerType();
            switch (kind) {
                case MessageHeader.Schema, MessageHeader.DictionaryBatch, MessageHeader.RecordBatch -> {}
                case MessageHeader.Tensor, MessageHeader.SparseTensor ->
                    throw new IllegalArgumentException(
                            "messages of tensors are not supported (" + MessageHeader.name(kind) + ")");
                default -> throw new IllegalArgumentException("a message of kind " + kind + " is unknown");
            }
            if (message.bodyLength() < 0) {
                throw new IllegalArgumentException("the body has " + message.bodyLength() + " bytes");
            }
            return message;
        });
    }

    private static void requireVersion(short version, short oldest) {
        if (version < oldest || version > MetadataVersion.V5) {
            throw new IllegalArgumentException("metadata of version "
                    + (version >= 0 && version < MetadataVersion.names.length
                            ? MetadataVersion.name(version)
                            : String.valueOf(version))
                    + " is not supported, only V4 and V5");
        }
    }

    /** Reads the schema of a message. */
    public static SchemaPlan schema(long position, Message message) {
        return Guard.reading(position, "the schema", () -> {
            Schema schema = (Schema) Guard.require(message.header(new Schema()), "header");
            return SchemaDecoder.decode(schema, new TextBudget(message.getByteBuffer()));
        });
    }

    /** The keys and values of a message. */
    public static Metadata of(long position, Message message) {
        return Guard.reading(position, "the metadata of a message", () -> {
            int count = message.customMetadataLength();
            return count == 0
                    ? Metadata.EMPTY
                    : pairs(count, message::customMetadata, new TextBudget(message.getByteBuffer()));
        });
    }

    private static Metadata pairs(int count, IntFunction<@Nullable KeyValue> pairs, TextBudget budget) {
        if (count > MAX_ENTRIES) {
            throw new IllegalArgumentException("the message has more than " + MAX_ENTRIES + " entries of metadata");
        }
        return MetadataCodec.decode(count, pairs, budget);
    }

    /** Refuses bodies that Arrow 0.17 compressed in its own way. */
    static void refuseExperimentalCompression(long position, Message message) {
        if (message.version() == MetadataVersion.V4
                && message.customMetadataLength() > 0
                && of(position, message).contains(EXPERIMENTAL_COMPRESSION)) {
            throw new IllegalArgumentException("the experimental compression of Arrow 0.17 is not supported");
        }
    }

    /** The footer of a file. */
    public record FileFooter(SchemaPlan plan, Metadata metadata, Blocks dictionaries, Blocks batches) {}

    /** Places of messages in a file: offset, size of the metadata with its prefix, size of the body. */
    public record Blocks(long[] offsets, int[] metadataSizes, long[] bodySizes) {
        /** The number of messages. */
        public int size() {
            return offsets.length;
        }
    }

    /**
     * Reads a footer.
     *
     * @param end where the footer begins, and so all messages end
     */
    public static FileFooter footer(byte[] bytes, long end) {
        return Guard.reading(end, "the footer", () -> {
            Footer footer = Footer.getRootAsFooter(ByteBuffer.wrap(bytes));
            // Old writers left V1, the default, where all their messages say V4.
            requireVersion(footer.version(), MetadataVersion.V1);
            TextBudget text = new TextBudget(ByteBuffer.wrap(bytes));
            SchemaPlan plan = SchemaDecoder.decode(Guard.require(footer.schema(), "schema"), text);
            Metadata metadata = pairs(footer.customMetadataLength(), footer::customMetadata, text);
            Blocks dictionaries = blocks(footer.dictionariesLength(), footer::dictionaries, bytes.length, end);
            Blocks batches = blocks(footer.recordBatchesLength(), footer::recordBatches, bytes.length, end);
            return new FileFooter(plan, metadata, dictionaries, batches);
        });
    }

    private interface BlockAt {
        @Nullable
        Block at(Block block, int index);
    }

    /** A block has 24 bytes, so the footer can't have more of them than fit. */
    private static Blocks blocks(int count, BlockAt blocks, int footerSize, long end) {
        if (count < 0 || count > footerSize / 24) {
            throw new IllegalArgumentException(count + " messages in a footer of " + footerSize + " bytes");
        }
        Blocks result = new Blocks(new long[count], new int[count], new long[count]);
        Block block = new Block();
        for (int i = 0; i < count; i++) {
            Guard.require(blocks.at(block, i), "place of a message");
            long offset = block.offset();
            int metadataSize = block.metaDataLength();
            long bodySize = block.bodyLength();
            boolean inside = offset >= 8
                    && offset % 8 == 0
                    && metadataSize > 0
                    && bodySize >= 0
                    && offset <= end - metadataSize
                    && bodySize <= end - offset - metadataSize;
            if (!inside) {
                throw new ArrowIpcException(
                        end,
                        "the footer: message " + i + " is said to lie at " + offset + " with " + metadataSize + " and "
                                + bodySize + " bytes, the messages end at " + end);
            }
            result.offsets[i] = offset;
            result.metadataSizes[i] = metadataSize;
            result.bodySizes[i] = bodySize;
        }
        return result;
    }
}
