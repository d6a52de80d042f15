package dev.arrowdevice.ipc.internal.format;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.IpcCompression;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/** Writes the metadata of messages and files. FlatBuffers are written from their end: vectors backwards, and parts first. */
public final class MessageEncoder {
    private MessageEncoder() {}

    /** A message with a schema. */
    public static void schema(FlatBufferBuilder builder, SchemaPlan plan) {
        finish(builder, MessageHeader.Schema, SchemaEncoder.encode(builder, plan), 0, Metadata.EMPTY);
    }

    /**
     * A message with a record batch.
     *
     * @param nodes length and null count of each array, in turn
     * @param buffers offset and size of each buffer, in turn
     * @param variadicCounts the number of data buffers of each view array
     */
    public static void batch(
            FlatBufferBuilder builder,
            long rows,
            Longs nodes,
            Longs buffers,
            Longs variadicCounts,
            @Nullable IpcCompression compression,
            long bodySize,
            Metadata metadata) {
        int batch = batch(builder, rows, nodes, buffers, variadicCounts, compression);
        finish(builder, MessageHeader.RecordBatch, batch, bodySize, metadata);
    }

    /** A message with values of a dictionary. */
    public static void dictionary(
            FlatBufferBuilder builder,
            long id,
            boolean delta,
            long rows,
            Longs nodes,
            Longs buffers,
            Longs variadicCounts,
            @Nullable IpcCompression compression,
            long bodySize) {
        int data = batch(builder, rows, nodes, buffers, variadicCounts, compression);
        int dictionary = DictionaryBatch.createDictionaryBatch(builder, id, data, delta);
        finish(builder, MessageHeader.DictionaryBatch, dictionary, bodySize, Metadata.EMPTY);
    }

    private static int batch(
            FlatBufferBuilder builder,
            long rows,
            Longs nodes,
            Longs buffers,
            Longs variadicCounts,
            @Nullable IpcCompression compression) {
        int nodeVector = nodes.vector(builder, 2);
        int bufferVector = buffers.vector(builder, 2);
        int variadicVector = variadicCounts.size() == 0 ? 0 : variadicCounts.vector(builder, 1);
        int compressionTable = compression == null
                ? 0
                : BodyCompression.createBodyCompression(builder, codec(compression), BodyCompressionMethod.BUFFER);
        return RecordBatch.createRecordBatch(builder, rows, nodeVector, bufferVector, compressionTable, variadicVector);
    }

    private static byte codec(IpcCompression compression) {
        return switch (compression) {
            case LZ4_FRAME -> CompressionType.LZ4_FRAME;
            case ZSTD -> CompressionType.ZSTD;
        };
    }

    private static void finish(FlatBufferBuilder builder, byte kind, int header, long bodySize, Metadata metadata) {
        int pairs = metadata.isEmpty()
                ? 0
                : Message.createCustomMetadataVector(builder, MetadataCodec.encode(builder, metadata));
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, kind, header, bodySize, pairs));
    }

    /**
     * The footer of a file.
     *
     * @param dictionaries offset, size of the metadata and size of the body of each dictionary's message, in turn
     * @param batches the same of each batch's message
     */
    public static void footer(
            FlatBufferBuilder builder, SchemaPlan plan, long[] dictionaries, long[] batches, Metadata metadata) {
        int schema = SchemaEncoder.encode(builder, plan);
        Footer.startDictionariesVector(builder, dictionaries.length / 3);
        int dictionaryVector = blocks(builder, dictionaries);
        Footer.startRecordBatchesVector(builder, batches.length / 3);
        int batchVector = blocks(builder, batches);
        int pairs = metadata.isEmpty()
                ? 0
                : Footer.createCustomMetadataVector(builder, MetadataCodec.encode(builder, metadata));
        builder.finish(Footer.createFooter(builder, MetadataVersion.V5, schema, dictionaryVector, batchVector, pairs));
    }

    private static int blocks(FlatBufferBuilder builder, long[] blocks) {
        for (int i = blocks.length - 3; i >= 0; i -= 3) {
            Block.createBlock(builder, blocks[i], (int) blocks[i + 1], blocks[i + 2]);
        }
        return builder.endVector();
    }
}
