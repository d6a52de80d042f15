package dev.arrowdevice.ipc.internal.writing;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.IpcCompression;
import dev.arrowdevice.ipc.IpcWriteOptions;
import dev.arrowdevice.ipc.internal.format.BatchTemplate;
import dev.arrowdevice.ipc.internal.format.MessageEncoder;
import dev.arrowdevice.ipc.internal.format.SchemaPlan;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes messages, and knows where they are. */
final class MessageWriter {
    private static final int CONTINUATION = -1;

    private final ChannelTarget target;
    private final IpcWriteOptions options;
    private final @Nullable Compressor compressor;
    private final int alignment;
    private final FlatBufferBuilder builder = new FlatBufferBuilder(1024);
    /** Of the last batch that had one: the next one is likely to have as many arrays and buffers. */
    private @Nullable BatchTemplate template;

    MessageWriter(ChannelTarget target, IpcWriteOptions options) {
        this.target = target;
        this.options = options;
        this.alignment = options.getAlignment();
        IpcCompression compression = options.getCompression();
        this.compressor = compression == null ? null : new Compressor(compression);
    }

    /** Where a message is: offset, size of the metadata with its prefix, size of the body. */
    record Place(long offset, int metadataSize, long bodySize) {}

    void schema(SchemaPlan plan) {
        builder.clear();
        MessageEncoder.schema(builder, plan);
        metadata(builder.dataBuffer());
        target.flush();
    }

    Place batch(FlatBatch batch, Metadata metadata) {
        long bodySize = place(batch);
        if (metadata.isEmpty() && batch.variadicCounts().size() == 0) {
            return message(
                    template(batch).fill(batch.rows(), batch.nodes(), batch.places(), bodySize), batch, bodySize);
        }
        MessageEncoder.batch(
                builder,
                batch.rows(),
                batch.nodes(),
                batch.places(),
                batch.variadicCounts(),
                options.getCompression(),
                bodySize,
                metadata);
        return message(builder.dataBuffer(), batch, bodySize);
    }

    private BatchTemplate template(FlatBatch batch) {
        BatchTemplate known = template;
        if (known == null || !known.fits(batch.nodes(), batch.places())) {
            known = BatchTemplate.of(batch.nodes(), batch.places(), options.getCompression());
            template = known;
        }
        return known;
    }

    Place dictionary(long id, boolean delta, FlatBatch values) {
        long bodySize = place(values);
        MessageEncoder.dictionary(
                builder,
                id,
                delta,
                values.rows(),
                values.nodes(),
                values.places(),
                values.variadicCounts(),
                options.getCompression(),
                bodySize);
        return message(builder.dataBuffer(), values, bodySize);
    }

    private long place(FlatBatch batch) {
        if (compressor != null) {
            compressor.compress(batch);
        }
        builder.clear();
        return batch.place(alignment);
    }

    private Place message(ByteBuffer metadata, FlatBatch batch, long bodySize) {
        long begin = target.position();
        int metadataSize = metadata(metadata);
        for (int i = 0; i < batch.buffers(); i++) {
            long byteSize = batch.byteSize(i);
            if (byteSize > 0) {
                target.write(batch.memory(i), batch.begin(i), byteSize);
                target.pad((int) (aligned(byteSize) - byteSize));
            }
        }
        target.flush();
        return new Place(begin, metadataSize, bodySize);
    }

    /** Writes prefix and metadata, so that the body begins at a multiple of the alignment. Returns their size. */
    private int metadata(ByteBuffer metadata) {
        long begin = target.position();
        int size = metadata.remaining();
        int padding = (int) (aligned(begin + 8 + size) - begin - 8 - size);
        target.writeInt(CONTINUATION);
        target.writeInt(size + padding);
        write(metadata);
        target.pad(padding);
        return 8 + size + padding;
    }

    /** FlatBuffers are written from their end, so they begin somewhere in the builder's array. */
    private void write(ByteBuffer flat) {
        target.write(flat.array(), flat.arrayOffset() + flat.position(), flat.remaining());
    }

    private long aligned(long size) {
        return size + alignment - 1 & -alignment;
    }

    void endOfStream() {
        target.writeInt(CONTINUATION);
        target.writeInt(0);
        target.flush();
    }

    /** Writes the footer of a file, whose size and magic follow. */
    void footer(SchemaPlan plan, List<Place> dictionaries, List<Place> batches) {
        builder.clear();
        MessageEncoder.footer(builder, plan, blocks(dictionaries), blocks(batches), options.getFileMetadata());
        ByteBuffer footer = builder.dataBuffer();
        int size = footer.remaining();
        write(footer);
        target.writeInt(size);
    }

    private static long[] blocks(List<Place> places) {
        long[] numbers = new long[3 * places.size()];
        for (int i = 0; i < places.size(); i++) {
            numbers[3 * i] = places.get(i).offset();
            numbers[3 * i + 1] = places.get(i).metadataSize();
            numbers[3 * i + 2] = places.get(i).bodySize();
        }
        return numbers;
    }
}
