package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.Metadata;
import dev.arrowdevice.Schema;
import dev.arrowdevice.ipc.ArrowIpcException;
import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.ipc.internal.format.MessageMetadata;
import dev.arrowdevice.ipc.internal.format.SchemaPlan;
import dev.arrowdevice.spi.DeviceBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import org.apache.arrow.flatbuf.MessageHeader;
import org.jspecify.annotations.Nullable;

/** The batches of a stream, one after the other. For one thread at a time; the figures may be asked for by any. */
public final class BatchStream implements AutoCloseable {
    private final MessageReader messages;
    private final SchemaPlan plan;
    private final Dictionaries dictionaries;
    private final BatchReader batches;
    private @Nullable Throwable failure;
    /** Where the message begins that is read, or the next one. */
    private long begin;

    private volatile Metadata metadata = Metadata.EMPTY;
    private volatile long bytes;
    private volatile long count;

    private BatchStream(MessageReader messages, SchemaPlan plan, IpcReadOptions options, BodyMemory memory) {
        this.messages = messages;
        this.plan = plan;
        this.dictionaries = new Dictionaries(plan, options, memory);
        this.batches = new BatchReader(plan, options, memory, dictionaries);
        this.bytes = messages.position();
    }

    /** Reads the schema of a channel's stream. Takes the channel over, also if it fails. */
    public static BatchStream ofChannel(ReadableByteChannel channel, IpcReadOptions options) {
        BodyMemory memory = memory(options, channel);
        return open(new ChannelSource(channel, memory), options, memory);
    }

    /** Reads the schema of a stream in memory. Takes over one reference to the bytes' owner, also if it fails. */
    public static BatchStream ofMemory(DeviceBuffer bytes, IpcReadOptions options) {
        BodyMemory memory = memory(options, bytes.getOwner()::release);
        return open(new MemorySource(bytes, 0, memory), options, memory);
    }

    /** The memory of the options' device. If it has no runtime, closes what was taken over. */
    private static BodyMemory memory(IpcReadOptions options, Closeable taken) {
        try {
            return new BodyMemory(options);
        } catch (Throwable e) {
            try {
                taken.close();
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private static BatchStream open(ByteSource source, IpcReadOptions options, BodyMemory memory) {
        MessageReader messages = new MessageReader(source, options);
        try (IpcMessage message = messages.next()) {
            if (message == null) {
                throw new ArrowIpcException(0, "the bytes end before the schema");
            }
            if (message.kind() != MessageHeader.Schema) {
                throw new ArrowIpcException(
                        0, "the first message is a " + MessageHeader.name(message.kind()) + ", not a schema");
            }
            return new BatchStream(
                    messages, MessageMetadata.schema(message.position(), message.flat()), options, memory);
        } catch (Throwable e) {
            messages.close();
            throw e;
        }
    }

    /** The schema of all batches. */
    public Schema schema() {
        return plan.schema();
    }

    /** The bytes that were read so far. */
    public long bytesRead() {
        return bytes;
    }

    /** The batches that were read so far. */
    public long batchesRead() {
        return count;
    }

    /** The keys and values of the message of the last batch. */
    public Metadata lastMetadata() {
        return metadata;
    }

    /** The next batch as a struct array; null at the end. After a failure within a message, fails again. */
    public @Nullable DeviceArray next() {
        if (failure instanceof ArrowIpcException known) {
            throw new ArrowIpcException(known.getPosition(), known.getProblem(), known);
        } else if (failure != null) {
            throw new IllegalStateException("the stream has failed before, within a message", failure);
        }
        try {
            return read();
        } catch (Throwable e) {
            // A source that failed between two messages may be asked again, as after a time-out. Within one, what comes
            // next is no message, whatever it looks like.
            if (e instanceof ArrowIpcException || messages.position() != begin) {
                failure = e;
            }
            throw e;
        }
    }

    private @Nullable DeviceArray read() {
        while (true) {
            begin = messages.position();
            IpcMessage message = messages.next();
            if (message == null) {
                bytes = messages.position();
                return null;
            }
            switch (message.kind()) {
                case MessageHeader.DictionaryBatch -> dictionaries.accept(message, true);
                case MessageHeader.RecordBatch -> {
                    try (message) {
                        Metadata own = message.metadata();
                        DeviceArray array = batches.read(message);
                        if (own != metadata) {
                            metadata = own;
                        }
                        bytes = messages.position();
                        count++;
                        return array;
                    }
                }
                default -> {
                    try (message) {
                        throw new ArrowIpcException(
                                message.position(), "a second schema: a stream has one, which does not change");
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        dictionaries.close();
        messages.close();
    }
}
