package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.ArrowIpcException;
import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.ipc.internal.format.MessageMetadata;
import dev.arrowdevice.ipc.internal.format.MessageMetadata.Blocks;
import dev.arrowdevice.ipc.internal.format.MessageMetadata.FileFooter;
import dev.arrowdevice.ipc.internal.format.SchemaPlan;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.jspecify.annotations.Nullable;

/** Finds the messages of a file that has no footer, up to the first one that is not whole. */
final class FileScan {
    private final FileBytes bytes;
    private final IpcReadOptions options;

    FileScan(FileBytes bytes, IpcReadOptions options) {
        this.bytes = bytes;
        this.options = options;
    }

    private record Found(long offset, int metadataSize, long bodySize) {}

    /** The footer that the file would have if it ended behind its last whole message. */
    FileFooter scan(long begin) {
        SchemaPlan plan = null;
        List<Found> dictionaries = new ArrayList<>();
        List<Found> batches = new ArrayList<>();
        long at = begin;
        while (true) {
            byte[] metadata = metadata(at);
            if (metadata == null) {
                break;
            }
            Message message;
            try {
                message = MessageMetadata.parse(at, metadata);
            } catch (ArrowIpcException e) {
                break;
            }
            int metadataSize = metadata.length + prefix(at);
            long bodySize = message.bodyLength();
            if (bodySize > bytes.byteSize() - at - metadataSize) {
                break;
            }
            Found found = new Found(at, metadataSize, bodySize);
            switch (message.headerType()) {
                case MessageHeader.Schema -> plan = plan == null ? MessageMetadata.schema(at, message) : plan;
                case MessageHeader.DictionaryBatch -> dictionaries.add(found);
                default -> batches.add(found);
            }
            at += metadataSize + bodySize;
        }
        if (plan == null) {
            throw new ArrowIpcException(begin, "the file has no whole schema, so nothing of it can be read");
        }
        return new FileFooter(plan, Metadata.EMPTY, blocks(dictionaries), blocks(batches));
    }

    private static Blocks blocks(List<Found> found) {
        return new Blocks(
                found.stream().mapToLong(Found::offset).toArray(),
                found.stream().mapToInt(Found::metadataSize).toArray(),
                found.stream().mapToLong(Found::bodySize).toArray());
    }

    /** The metadata of the message at a place, null where there is no whole one. */
    byte @Nullable [] metadata(long at) {
        if (at > bytes.byteSize() - 8) {
            return null;
        }
        int prefix = prefix(at);
        int size = Alignment.littleInt(bytes(bytes, at + prefix - 4, 4), 0);
        boolean whole = size > 0 && size <= options.getMaxMetadataBytes() && size <= bytes.byteSize() - at - prefix;
        return whole ? bytes(bytes, at + prefix, size) : null;
    }

    /** 8 bytes with a continuation, 4 as it was before Arrow 0.15. */
    private int prefix(long at) {
        return Alignment.littleInt(bytes(bytes, at, 4), 0) == -1 ? 8 : 4;
    }

    /** A few bytes of a file, on the heap. */
    static byte[] bytes(FileBytes file, long offset, int size) {
        byte[] result = new byte[size];
        file.get(offset, result);
        return result;
    }
}
