package dev.arrowdevice.ipc.internal.writing;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.arrowdevice.Device;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.ipc.IpcWriteOptions;
import dev.arrowdevice.ipc.internal.codec.Codecs;
import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.format.FieldPlan;
import dev.arrowdevice.ipc.internal.format.MessageEncoder;
import dev.arrowdevice.ipc.internal.format.SchemaPlan;
import dev.arrowdevice.spi.ArrayData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes batches to a stream, or a file. Calls are serialised; the figures may be asked for by any thread. */
public final class BatchWriter implements AutoCloseable {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    private enum State {
        OPEN,
        /** A message was written in part, or the end was. */
        ENDED,
        CLOSED
    }

    private final ChannelTarget target;
    private final MessageWriter messages;
    private final SchemaPlan plan;
    private final DictionaryPolicy dictionaries;
    private final boolean isFile;
    private final List<MessageWriter.Place> dictionaryPlaces = new ArrayList<>();
    private final List<MessageWriter.Place> batchPlaces = new ArrayList<>();
    /** One message after the other uses them. */
    private final FlatBatch.Numbers numbers = new FlatBatch.Numbers();
    /** Of the last batch: the next one is likely to have as many. */
    private int buffers;

    private State state = State.OPEN;
    private volatile long count;

    private BatchWriter(ChannelTarget target, Schema schema, IpcWriteOptions options, boolean isFile) {
        this.isFile = isFile;
        this.plan = SchemaPlan.of(schema);
        this.target = target;
        this.messages = new MessageWriter(target, options);
        this.dictionaries = isFile ? new FileDictionaries() : new StreamDictionaries(options.getDictionaryDeltas());
    }

    /** Refuses what {@link #open} refuses, before there is anything to write to. */
    public static void requireWritable(Schema schema, IpcWriteOptions options) {
        MessageEncoder.schema(new FlatBufferBuilder(), SchemaPlan.of(schema));
        if (options.getCompression() != null) {
            Codecs.find(options.getCompression());
        }
    }

    /** Writes the schema to a channel. Takes the channel over, also if it fails. */
    public static BatchWriter open(
            WritableByteChannel channel, Schema schema, IpcWriteOptions options, boolean isFile) {
        ChannelTarget target = null;
        try {
            target = new ChannelTarget(channel);
            BatchWriter writer = new BatchWriter(target, schema, options, isFile);
            if (isFile) {
                target.write(MAGIC, 0, MAGIC.length);
                target.pad(2);
            }
            writer.messages.schema(writer.plan);
            return writer;
        } catch (Throwable e) {
            try {
                if (target == null) {
                    channel.close();
                } else {
                    target.close();
                }
            } catch (IOException | UncheckedIOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /** The schema of all batches. */
    public Schema schema() {
        return plan.schema();
    }

    /** The bytes that were written so far. */
    public long bytesWritten() {
        return target.sent();
    }

    /** The batches that were written so far. */
    public long batchesWritten() {
        return count;
    }

    /** Writes a batch, which remains the caller's. Fails before anything is written if the batch does not fit. */
    public synchronized void write(RecordBatch batch, Metadata metadata) {
        requireOpen("write");
        if (!batch.getSchema().fields().equals(plan.schema().fields())) {
            throw new IllegalArgumentException(
                    FieldDifference.of(batch.getSchema().fields(), plan.schema().fields()));
        }
        long before = target.position();
        boolean whole = false;
        try (RecordBatch here = share(batch)) {
            here.await();
            IndexMaps maps = new IndexMaps();
            writeDictionaries(here, maps);
            ArrayData struct = here.asStruct().getData();
            try (FlatBatch flat = flat(here.getRowCount())) {
                Flattening flattening = new Flattening(flat, maps);
                for (int i = 0; i < plan.columns().size(); i++) {
                    flattening.add(
                            plan.columns().get(i),
                            Flattening.range(struct.child(i), struct.getOffset(), struct.getLength()));
                }
                MessageWriter.Place place = messages.batch(flat, metadata);
                buffers = flat.buffers();
                if (isFile) {
                    batchPlaces.add(place);
                }
            }
            whole = true;
        } finally {
            if (!whole && target.position() != before) {
                state = State.ENDED;
            }
        }
        count++;
    }

    /** An owner, so that nobody closes it meanwhile, of memory that the host can read. */
    private static RecordBatch share(RecordBatch batch) {
        boolean readable = batch.asStruct().getData().isHostReadable();
        try {
            return readable ? batch.share() : batch.copyTo(Device.CPU);
        } catch (IllegalStateException e) {
            throw batch.isLive() ? e : new IllegalStateException("write: the batch has been closed", e);
        }
    }

    private FlatBatch flat(long rows) {
        return new FlatBatch(rows, numbers, buffers);
    }

    private void writeDictionaries(RecordBatch batch, IndexMaps maps) {
        if (plan.dictionaries().isEmpty()) {
            return;
        }
        ArrayData struct = batch.asStruct().getData();
        for (int i = 0; i < plan.columns().size(); i++) {
            visit(plan.columns().get(i), struct.child(i), maps);
        }
    }

    private void visit(FieldPlan field, ArrayData array, IndexMaps maps) {
        DictionaryPlan dictionary = field.dictionary();
        if (dictionary == null) {
            for (int i = 0; i < field.children().size(); i++) {
                visit(field.children().get(i), array.child(i), maps);
            }
            return;
        }
        ArrayData values = array.getDictionary();
        if (values == null) {
            throw new IllegalArgumentException("an array of type " + array.getType() + " without a dictionary");
        }
        visit(dictionary.values(), values, maps);
        dictionaries.visit(dictionary, values, maps, (id, delta, part) -> writeValues(id, delta, part, maps));
    }

    private void writeValues(DictionaryPlan dictionary, boolean delta, ArrayData values, IndexMaps maps) {
        try (FlatBatch flat = flat(values.getLength())) {
            new Flattening(flat, maps).add(dictionary.values(), values);
            MessageWriter.Place place = messages.dictionary(dictionary.id(), delta, flat);
            if (isFile) {
                dictionaryPlaces.add(place);
            }
        }
    }

    /** Writes the end-of-stream marker, and the footer of a file. */
    public synchronized void finish() {
        requireOpen("finish");
        state = State.ENDED;
        messages.endOfStream();
        if (isFile) {
            messages.footer(plan, dictionaryPlaces, batchPlaces);
            target.write(MAGIC, 0, MAGIC.length);
            target.flush();
        }
    }

    private void requireOpen(String operation) {
        if (state != State.OPEN) {
            throw new IllegalStateException(operation + ": "
                    + (state == State.CLOSED
                            ? "the writer has been closed"
                            : "the writer has been finished, or a write has failed half way"));
        }
    }

    /** Closes the channel. What was written remains as it is. Idempotent. */
    @Override
    public synchronized void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            dictionaries.close();
            target.close();
        }
    }
}
