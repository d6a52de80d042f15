package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.Metadata;
import dev.arrowdevice.ipc.internal.format.MessageMetadata;
import dev.arrowdevice.spi.DeviceBuffer;
import org.apache.arrow.flatbuf.Message;

/**
 * A message whose metadata has been checked.
 *
 * @param position where it begins in the stream or file
 * @param flat the metadata, which has a version and a header that we know
 * @param body the body; one reference to its owner belongs to the message
 * @param metadataSize the size of the metadata in bytes
 */
record IpcMessage(long position, Message flat, DeviceBuffer body, int metadataSize) implements AutoCloseable {
    /** The header's kind, of {@link org.apache.arrow.flatbuf.MessageHeader}. */
    byte kind() {
        return flat.headerType();
    }

    short version() {
        return flat.version();
    }

    /** The keys and values of the message, which are apart from those of the schema. */
    Metadata metadata() {
        return MessageMetadata.of(position, flat);
    }

    @Override
    public void close() {
        body.getOwner().release();
    }
}
